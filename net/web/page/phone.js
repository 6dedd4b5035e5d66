/** The bar on phones: the keys that the screen offers, and a line to write in. */

import { say } from "./words.js";

/** @typedef {{key: string, shown: string, does: string}} Key */

const bar = /** @type {HTMLElement} */ (document.querySelector("#keys"));
const composer = /** @type {HTMLFormElement} */ (document.querySelector("#composer"));
const field = /** @type {HTMLInputElement} */ (composer.querySelector("input"));
const pen = /** @type {HTMLButtonElement} */ (document.querySelector("#write"));

let takesText = false;
let offered = "";

/**
 * Wire the bar: keys go to `type`, what is written to `send`.
 * @param {(keys: string) => void} type
 * @param {(text: string, takesText: boolean) => void} send
 */
export function openBar(type, send) {
  bar.ariaLabel = say("keys");
  bar.role = "group";
  field.placeholder = field.ariaLabel = composer.ariaLabel = pen.ariaLabel = say("write");
  const button = /** @type {HTMLElement} */ (composer.querySelector("button"));
  button.ariaLabel = say("send");
  for (const element of [bar, pen, button]) {
    element.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays where it is
  }
  bar.addEventListener("click", ({ target }) => {
    const key = /** @type {Element} */ (target).closest("button")?.value;
    if (key) type(key);
  });
  pen.addEventListener("click", () => (composer.hidden ? write() : showComposer(false)));
  composer.addEventListener("submit", (event) => {
    event.preventDefault();
    send(field.value, takesText);
    field.value = "";
  });
}

/** @param {boolean} shown */
function showComposer(shown) {
  composer.hidden = !shown;
  pen.ariaExpanded = String(shown);
}

/** Open the phone's keyboard, which it lets a finger do alone. */
function write() {
  showComposer(true);
  field.focus();
}

/**
 * Offer what the screen offers now.
 * @param {Key[]} keys
 * @param {boolean} text whether it has a line to write in
 */
export function offer(keys, text) {
  if (text !== takesText) showComposer(text);
  takesText = text;
  const now = JSON.stringify(keys);
  if (now === offered) return;
  offered = now;
  bar.replaceChildren(
    ...keys.map(({ key, shown, does }) => {
      const button = document.createElement("button");
      const cap = document.createElement("kbd");
      const label = document.createElement("span");
      Object.assign(button, { type: "button", value: key });
      cap.textContent = shown;
      label.textContent = does;
      button.append(cap, label);
      return button;
    }),
  );
  bar.scrollLeft = 0;
}

/** A finger has tapped the screen: if it waits for text, so may the phone's keyboard. */
export function writeIfWanted() {
  if (takesText) write();
}
