/** What the browser remembers of its player from one visit to the next, if it may remember anything. */

const PLACE = "boneyard";

/** @type {{user?: string, size?: number, sound?: boolean, notify?: boolean, bell?: boolean}} */
export const memory = {};

try {
  Object.assign(memory, JSON.parse(localStorage.getItem(PLACE) ?? "{}"));
} catch {
  // private windows and full disks
}

/**
 * Remember more; `undefined` forgets.
 * @param {Partial<typeof memory>} changes
 */
export function remember(changes) {
  Object.assign(memory, changes);
  try {
    localStorage.setItem(PLACE, JSON.stringify(memory));
  } catch {
    // as above
  }
}
