/** What surrounds the terminal: the settings, which the page keeps, and on phones the keys of the game and a line. */

import { screen } from "./cells.js";
import { get } from "./elements.js";
import { memory, remember } from "./memory.js";
import { copy, resizeLetters, term } from "./terminal.js";
import { mayNotify, play } from "./turn.js";

const settings = get(HTMLElement, "#settings");
const told = get(HTMLElement, "#told");
const share = get(HTMLButtonElement, "#share");
const keys = get(HTMLElement, "#keys");
const composer = get(HTMLFormElement, "#composer");
const field = get(HTMLInputElement, "#composer input");
const pen = get(HTMLButtonElement, "#write");
let takesText = false;

settings.addEventListener("toggle", () => {
  told.textContent = "";
  if (!settings.matches(":popover-open")) term.focus();
});

share.onclick = async () => {
  const link = { title: document.title, url: location.origin + share.value };
  if (navigator.share && matchMedia("(pointer: coarse)").matches) return navigator.share(link).catch(() => {});
  await copy(link.url);
  told.textContent = share.dataset.done ?? "";
};

get(HTMLElement, "#smaller").onclick = () => resizeLetters(-1);
get(HTMLElement, "#larger").onclick = () => resizeLetters(1);

for (const name of /** @type {const} */ (["sound", "notify", "bell"])) {
  const box = get(HTMLInputElement, `#settings [name=${name}]`);
  box.checked = Boolean(memory[name]);
  box.onchange = async () => {
    if (box.checked && name !== "notify") void play(name);
    if (box.checked && name === "notify" && !(box.checked = await mayNotify())) told.append(box.dataset.refused ?? "");
    remember({ [name]: box.checked });
  };
}

/** Show the line to write in, and the phone's keyboard if a finger asks. @param {boolean} shown @param {boolean} [tapped] */
function compose(shown, tapped) {
  composer.hidden = !shown;
  pen.ariaExpanded = String(shown);
  if (tapped) field.focus();
}

pen.onclick = () => compose(composer.hidden, true);
screen.onclick = () => takesText && compose(true, true);

composer.onsubmit = (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  if (takesText) term.paste(field.value);
  else term.input(field.value);
  if (takesText || !field.value) term.input("\r");
  field.value = "";
};

keys.onclick = (/** @type {MouseEvent} */ { target }) => {
  const key = target instanceof Element && target.closest("button");
  if (key) term.input(key.value);
};

for (const place of [keys, pen, get(HTMLElement, "#composer button")]) {
  place.onmousedown = (event) => event.preventDefault(); // the focus stays where it is
}

/**
 * Offer what the screen offers now, and a line to write in if it has one.
 * @type {(offered: {key: string, shown: string, does: string}[], text: boolean) => void}
 */
export function offer(offered, text) {
  if (text !== takesText) compose(text);
  takesText = text;
  const buttons = offered.map(({ key, shown, does }) => {
    const button = Object.assign(document.createElement("button"), { value: key, textContent: shown });
    button.dataset.does = does;
    return button;
  });
  keys.replaceChildren(...buttons);
  keys.scrollLeft = 0;
}
