/**
 * Lets xterm.js style itself under `style-src 'self'`: what it would insert as <style> elements and style attributes,
 * which that forbids, becomes style sheets and properties set by script, which it allows.
 */

const create = document.createElement.bind(document);

function adopted() {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const stand_in = create("template");
  Object.defineProperty(stand_in, "textContent", { set: (css) => sheet.replaceSync(css) });
  return stand_in;
}

document.createElement = (/** @type {string} */ name, /** @type {ElementCreationOptions=} */ options) =>
  name === "style" ? adopted() : create(name, options);

HTMLSpanElement.prototype.setAttribute = function (/** @type {string} */ name, /** @type {string} */ value) {
  if (name === "style") this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
};
