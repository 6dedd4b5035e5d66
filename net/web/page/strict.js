/**
 * What xterm.js needs to be told. Under `style-src 'self'` it may not insert <style> elements and style attributes:
 * they become style sheets and properties set by script, which that allows.
 */

const create = document.createElement.bind(document);

function adopted() {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const stand_in = create("template");
  Object.defineProperty(stand_in, "textContent", {
    set(css) {
      sheet.replaceSync(css);
    },
  });
  return stand_in;
}

document.createElement = (/** @type {string} */ name, /** @type {ElementCreationOptions=} */ options) =>
  name === "style" ? adopted() : create(name, options);

HTMLSpanElement.prototype.setAttribute = function (/** @type {string} */ name, /** @type {string} */ value) {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
};

/** The screens that developers' tools emulate are told in pixels of the real one, which xterm.js would believe. */
window.ResizeObserver = class extends ResizeObserver {
  /** @param {ResizeObserverCallback} callback */
  constructor(callback) {
    super((entries, observer) => callback(entries.filter(believable), observer));
  }
};

/** @param {ResizeObserverEntry} entry */
function believable({ contentRect, devicePixelContentBoxSize: [told] = [] }) {
  return !told || Math.abs(told.inlineSize - contentRect.width * devicePixelRatio) < 2;
}
