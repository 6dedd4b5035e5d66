/** Access to the browser: elements of the page, and the settings that it stores for its player. */

/** @type {{user?: string, size?: number, sound?: boolean, notify?: boolean, bell?: boolean, kept?: boolean}} */
export let memory = {};
try {
  memory = JSON.parse(localStorage.boneyard ?? "{}");
} catch {
  // the player forbids storage, or its content is damaged
}

export const byFinger = matchMedia("(hover: none) and (pointer: coarse)").matches;

/** Store settings; `undefined` deletes one. @type {(changes: Partial<typeof memory>) => void} */
export function remember(changes) {
  Object.assign(memory, changes);
  try {
    localStorage.boneyard = JSON.stringify(memory);
  } catch {
    // then the settings last as long as the page is open
  }
}

/**
 * Return the result of a browser's function; undefined if it fails, or takes more than a second.
 * @type {<T>(work: T | Promise<T>) => Promise<T | undefined>}
 */
export const promptly = (work) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1000))]).catch(() => undefined);

/** Return the element of a selector. @type {<T extends Element>(kind: new () => T, selector: string) => T} */
export function get(kind, selector) {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`The page has no ${selector}.`);
}
