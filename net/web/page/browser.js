/** What the browser shows, and what it remembers of its player from one visit to the next. */

/** @type {Record<string, any>} */
let store = {};
try {
  store = localStorage;
} catch {
  // the player forbids it
}

/** @type {{user?: string, size?: number, sound?: boolean, notify?: boolean, bell?: boolean}} */
export const memory = JSON.parse(store.boneyard ?? "{}");

/** Remember more; `undefined` forgets. @type {(changes: Partial<typeof memory>) => void} */
export function remember(changes) {
  store.boneyard = JSON.stringify(Object.assign(memory, changes));
}

/** The element of a kind that is found. @type {<T extends Element>(kind: new () => T, selector: string) => T} */
export function get(kind, selector) {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`The page has no ${selector}.`);
}
