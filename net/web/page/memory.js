/** What the browser remembers of its player from one visit to the next, if it may remember anything. */

/** @type {{user?: string, size?: number, sound?: boolean, notify?: boolean, bell?: boolean}} */
export const memory = {};

try {
  Object.assign(memory, JSON.parse(localStorage.getItem("boneyard") ?? "{}"));
} catch {
  // private windows and full disks
}

/** Remember more; `undefined` forgets. @type {(changes: Partial<typeof memory>) => void} */
export function remember(changes) {
  Object.assign(memory, changes);
  try {
    localStorage.setItem("boneyard", JSON.stringify(memory));
  } catch {
    // as above
  }
}
