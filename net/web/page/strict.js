/** Makes xterm.js work under `style-src 'self'`: its styles become sheets and properties that are set by script. */

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

/** Hides from xterm.js the pixel sizes of the real screen, which are wrong while developer tools emulate another. */
new ResizeObserver(([page]) => {
  const off = (page?.devicePixelContentBoxSize?.[0]?.inlineSize ?? 0) - innerWidth * devicePixelRatio;
  if (Math.abs(off) > 2) Reflect.deleteProperty(ResizeObserverEntry.prototype, "devicePixelContentBoxSize");
}).observe(document.documentElement);
