/** What the page says over the terminal, and the settings that it keeps. */

import { memory, remember } from "./memory.js";
import { mayNotify, play } from "./turn.js";
import { say } from "./words.js";

const screen = /** @type {HTMLElement} */ (document.querySelector("#screen"));
const notice = /** @type {HTMLElement} */ (document.querySelector("#notice"));
const form = /** @type {HTMLFormElement} */ (notice.querySelector("form"));
const sentence = /** @type {HTMLElement} */ (notice.querySelector("p"));
const field = /** @type {HTMLInputElement} */ (notice.querySelector("input"));
const button = /** @type {HTMLButtonElement} */ (notice.querySelector("button"));

/** The path that leads others to where the player is. */
let shared = "/";

/** @param {string} path */
export const share = (path) => (shared = path);

/** @type {(answer: string) => void} */
let answered = () => {};

sentence.id = "why";
form.addEventListener("submit", (event) => {
  event.preventDefault();
  answered(field.value.trim());
});

/**
 * Say something over the dimmed terminal, with a button if there is something to do.
 * @param {string} why
 * @param {{button?: string, asks?: boolean, done?: (answer: string) => void}} [choice]
 */
export function tell(why, choice = {}) {
  screen.classList.add("dim");
  notice.hidden = false;
  sentence.textContent = why;
  button.hidden = !choice.button;
  button.textContent = choice.button ?? "";
  field.hidden = !choice.asks;
  field.required = Boolean(choice.asks);
  field.value = "";
  answered = choice.done ?? (() => {});
  if (choice.asks) field.focus();
  else if (choice.button) button.focus();
}

/** The terminal is alive again. */
export function tellNothing() {
  screen.classList.remove("dim");
  notice.hidden = true;
}

/**
 * Wire the settings.
 * @param {typeof import("./terminal.js")} terminal
 */
export function openSettings({ copy, resizeLetters, term }) {
  const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("#settings"));
  const gear = /** @type {HTMLButtonElement} */ (document.querySelector("#open-settings"));
  const text = (/** @type {string} */ place, /** @type {string} */ words) => {
    const found = dialog.querySelector(place);
    if (found) found.textContent = words;
  };
  gear.ariaLabel = say("settings");
  gear.title = `${say("settings")} (Ctrl+,)`;
  gear.addEventListener("click", () => (text(".told", ""), dialog.showModal()));
  dialog.addEventListener("close", () => term.focus());
  let still = 0;
  addEventListener("mousemove", () => {
    document.body.classList.add("moving"); // shows the way to the settings
    clearTimeout(still);
    still = setTimeout(() => document.body.classList.remove("moving"), 3000);
  });
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  text("h2", say("settings"));
  text(".close", say("close"));
  text(".share", say("share"));
  dialog.querySelector(".share")?.addEventListener("click", async () => {
    const link = { title: document.title, url: location.origin + shared };
    if (navigator.share && matchMedia("(pointer: coarse)").matches) return navigator.share(link).catch(() => {});
    await copy(link.url);
    text(".told", say("copied"));
  });
  text(".sizes span", say("size"));
  for (const size of dialog.querySelectorAll("button")) {
    if (!size.value) continue;
    size.ariaLabel = `${say("size")} ${size.textContent}`;
    size.addEventListener("click", () => resizeLetters(Number(size.value)));
  }
  for (const name of /** @type {const} */ (["sound", "notify", "bell"])) {
    const box = /** @type {HTMLInputElement} */ (dialog.querySelector(`[name=${name}]`));
    text(`[name=${name}] + span`, say(name));
    box.checked = Boolean(memory[name]);
    box.addEventListener("change", async () => {
      if (box.checked && name !== "notify") play(660, 880);
      if (box.checked && name === "notify" && !(box.checked = await mayNotify())) text(".told", say("refused"));
      remember({ [name]: box.checked });
    });
  }
}
