/** The elements of the page, by their kinds. */

/** The first that a selector finds. @type {<T extends Element>(kind: new () => T, selector: string) => T} */
export function get(kind, selector) {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new TypeError(`The page has no ${selector}.`);
}
