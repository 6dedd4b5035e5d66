/** The entrance: the page before the terminal, with a field for the name and the button that lets the player in. */

import { get, memory } from "./browser.js";

export const entrance = get(HTMLFormElement, "#entrance");
const field = get(HTMLInputElement, "#user");
const naming = get(HTMLElement, "#naming");
const play = get(HTMLButtonElement, "#you .main");
const other = get(HTMLButtonElement, "#other");
const farewell = get(HTMLElement, "#farewell");
const picture = get(HTMLImageElement, "#entrance img");
const title = document.title;
const known = () => (memory.user ?? "").replace(/\+[^+]*$/, ""); // without the return code

/** Return the name to play under: the player's own with its return code, or the one in the field. */
export const nameToUse = () => (naming.hidden ? memory.user : field.value.trim());

/** Go to the target of the main button, with the code of a private table, before the login reads the path. */
export function goToTarget() {
  const code = get(HTMLInputElement, "#code").value.trim();
  const path = entrance.dataset.go || location.pathname + location.search;
  history.replaceState(null, "", code ? `${path}?code=${encodeURIComponent(code)}` : path);
}

/** Return true if this tab has a player in, so that a reload leads back at once. */
export function isSeated() {
  try {
    return sessionStorage.seated === "yes";
  } catch {
    return false; // the player forbids storage
  }
}

/** Store whether this tab has a player in. @param {string} answer */
function storeSeated(answer) {
  try {
    sessionStorage.seated = answer;
  } catch {
    // then a reload shows the entrance
  }
}

/** Offer the name of a player who comes back; else ask for one. @param {boolean} asks */
function show(asks) {
  const name = asks ? "" : known();
  naming.hidden = Boolean(name);
  other.hidden = !name;
  const isOther = !name || entrance.dataset.go?.startsWith("/w/"); // the button then says what it does
  const words = (isOther && play.dataset.go) || play.dataset.plain || "";
  play.textContent = isOther ? words : (play.dataset.as ?? "").replace("{name}", name);
  entrance.hidden = false;
  if (matchMedia("(pointer: fine)").matches) (name ? play : field).focus();
}

/** Show the terminal instead of the entrance. */
export function takeSeat() {
  entrance.hidden = true;
  storeSeated("yes");
}

/** Show the entrance again, after the player has left, or the host has closed. @param {string} why */
export function leaveTable(why) {
  storeSeated("no");
  document.title = title;
  farewell.textContent = why;
  farewell.hidden = !why;
  show(false);
}

const links = entrance.querySelectorAll("#tables a, #games a, #ways [data-go]");
for (const link of /** @type {NodeListOf<HTMLElement>} */ (links)) {
  link.onclick = (event) => {
    event.preventDefault(); // one tap leads to the table, under the name in the field
    entrance.dataset.go = link.dataset.go ?? link.getAttribute("href") ?? "";
    entrance.requestSubmit();
  };
}
play.dataset.plain = play.textContent ?? "";
other.onclick = () => show(true);
picture.onerror = () => (picture.hidden = true);
if (isSeated()) entrance.hidden = true;
else show(false);
