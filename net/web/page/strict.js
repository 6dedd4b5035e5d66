/**
 * What xterm.js needs to be told. Under `style-src 'self'` it may not insert <style> elements and style attributes:
 * they become style sheets and properties set by script, which that allows.
 */

const create = document.createElement.bind(document);

document.createElement = (/** @type {string} */ name, /** @type {ElementCreationOptions=} */ options) => {
  if (name !== "style") return create(name, options);
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  return Object.defineProperty(create("template"), "textContent", { set: sheet.replaceSync.bind(sheet) });
};

HTMLSpanElement.prototype.setAttribute = function (/** @type {string} */ name, /** @type {string} */ value) {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
};

/** What developers' tools emulate is told in pixels of the real screen, which xterm.js would believe. */
new ResizeObserver(([page]) => {
  const off = (page?.devicePixelContentBoxSize?.[0]?.inlineSize ?? 0) - innerWidth * devicePixelRatio;
  if (Math.abs(off) > 2) Reflect.deleteProperty(ResizeObserverEntry.prototype, "devicePixelContentBoxSize");
}).observe(document.documentElement);
