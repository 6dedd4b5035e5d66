/** What the page says over the dimmed terminal. */

import { get } from "./elements.js";

export const notice = get(HTMLFormElement, "#notice");
const field = get(HTMLInputElement, "#notice input");
const button = get(HTMLButtonElement, "#notice button");

/**
 * Say something; with a button if there is something to do, and a field if that needs a word.
 * @type {(why?: string, todo?: (word: string) => void, asks?: boolean) => void}
 */
export function say(why = "", todo = undefined, asks = false) {
  get(HTMLElement, "#why").textContent = why;
  notice.hidden = false;
  button.hidden = !todo;
  field.hidden = field.disabled = !asks;
  field.value = "";
  (asks ? field : button).focus();
  notice.onsubmit = (event) => {
    event.preventDefault();
    notice.hidden = true;
    todo?.(field.value.trim());
  };
}
