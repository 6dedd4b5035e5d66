/** What the browser shows, and what it remembers of its player from one visit to the next. */

/** @type {{user?: string, size?: number, sound?: boolean, notify?: boolean, bell?: boolean, kept?: boolean}} */
export let memory = {};
try {
  memory = JSON.parse(localStorage.boneyard ?? "{}");
} catch {
  // the player forbids it, or it is damaged
}

/** Remember more; `undefined` forgets. @type {(changes: Partial<typeof memory>) => void} */
export function remember(changes) {
  Object.assign(memory, changes);
  try {
    localStorage.boneyard = JSON.stringify(memory);
  } catch {
    // then it is remembered as long as the page is open
  }
}

/**
 * Return the answer of a part of the browser; undefined if it fails, or does not answer within a second.
 * @type {<T>(work: T | Promise<T>) => Promise<T | undefined>}
 */
export const promptly = (work) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1000))]).catch(() => undefined);

/** The element of a kind that is found. @type {<T extends Element>(kind: new () => T, selector: string) => T} */
export function get(kind, selector) {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`The page has no ${selector}.`);
}
