/** The panel beside the terminal: settings, which the page stores, and on phones the keys and an input line. */

import { get, memory, remember } from "./browser.js";
import { resizeLetters, screen } from "./cells.js";
import { copy, term } from "./terminal.js";
import { notify, play } from "./turn.js";

const told = get(HTMLElement, "#told");
const share = get(HTMLButtonElement, "#share");
const keys = get(HTMLElement, "#keys");
const bar = get(HTMLElement, "#buttons");
const more = get(HTMLElement, "#more");
const composer = get(HTMLFormElement, "#composer");
const field = get(HTMLInputElement, "#composer input");
const pen = get(HTMLButtonElement, "#write");
let takesText = false;

get(HTMLElement, "#settings").ontoggle = () => told.replaceChildren();

share.onclick = async () => {
  const link = { title: document.title, url: location.origin + share.value };
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return navigator.share(link).catch(() => {});
  await copy(link.url);
  told.textContent = share.dataset.done ?? "";
};

get(HTMLElement, "#smaller").onclick = () => resizeLetters(-1);
get(HTMLElement, "#larger").onclick = () => resizeLetters(1);

const refused = () => ((told.textContent = told.dataset.refused ?? ""), false);

for (const name of /** @type {const} */ (["sound", "notify", "bell"])) {
  const box = get(HTMLInputElement, `#settings [name=${name}]`);
  box.checked = Boolean(memory[name]);
  box.onchange = async () => {
    if (box.checked && name !== "notify") void play(name);
    if (box.checked && name === "notify") box.checked = await notify(true).then(() => true, refused);
    remember({ [name]: box.checked });
  };
}

/** Show or hide the input line. @type {(shown: boolean, tapped?: boolean) => void} */
function compose(shown, tapped) {
  composer.hidden = !shown;
  pen.ariaExpanded = String(shown);
  if (tapped) field.focus();
}

pen.onclick = () => (more.hidePopover(), compose(composer.hidden, true));
screen.onclick = () => takesText && compose(true, true);

composer.onsubmit = (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  if (takesText) term.paste(field.value);
  else term.input(field.value);
  if (takesText || !field.value) term.input("\r");
  field.value = "";
};

for (const place of [get(HTMLElement, "#bar"), get(HTMLElement, "#composer button")]) {
  place.onmousedown = (event) => event.preventDefault(); // keeps the focus in place
}

/**
 * Show a screen's keys, its buttons, and an input line. Buttons keep their elements, and so their places.
 * @type {(keys: Record<string, string>[], text: boolean, buttons: Record<string, string>[]) => void}
 */
export function offer(offered, text, buttons) {
  if (text !== takesText) compose(text);
  takesText = text;
  bar.classList.toggle("phrases", text);
  while (bar.children.length > buttons.length) bar.lastChild?.remove();
  for (const [number, { key = "", does = "", kind = "" }] of buttons.entries()) {
    const button = bar.children[number] ?? bar.appendChild(document.createElement("button"));
    Object.assign(button, { className: kind, textContent: does });
    /** @type {HTMLElement} */ (button).onclick = () => (kind === "share" ? share.click() : term.input(key));
  }
  const rows = offered.map(({ key = "", shown = "", does }) => {
    const button = Object.assign(document.createElement("button"), { value: key, textContent: does });
    button.dataset.shown = shown;
    button.onclick = () => (more.hidePopover(), term.input(key));
    return button;
  });
  keys.replaceChildren(...rows);
}
