/** The sizes of letters and of cells, and the number of cells that fit into the window. */

import { get, memory, remember } from "./browser.js";

export const FONTS =
  "ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace";
export const screen = get(HTMLElement, "#screen");
const [SMALLEST, LARGEST] = [6, 40]; // CSS pixels
const PAINTED = 40; // maximum pixels of a cell, across or down; the host sends no pictures for larger ones
const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** Return a cell's size in pixels of the device, as xterm.js measures it. @param {number} letters */
function measure(letters) {
  ruler.font = `${letters}px ${FONTS}`;
  const { width, fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = ruler.measureText("W");
  return { width: width * devicePixelRatio, height: Math.ceil((ascent + descent) * devicePixelRatio) };
}

/** Return sizes of letters and cells in CSS pixels, the number of cells, and the letters' growth per pixel. */
export function cells() {
  const step = 100 / measure(100).width;
  const wanted = memory.size ?? parseFloat(getComputedStyle(screen).fontSize);
  const pixels = Math.max(1, Math.floor(wanted / step + (memory.size ? 0.5 : 0))); // whole: no seams between cells
  const letters = pixels * step + 0.001;
  const [width, height] = [pixels / devicePixelRatio, measure(letters).height / devicePixelRatio];
  const [columns, rows] = [Math.floor(screen.clientWidth / width), Math.floor(screen.clientHeight / height)];
  return { letters, step, width, height, columns: Math.max(2, columns), rows: Math.max(1, rows) };
}

/** Store a size of letters, larger or smaller by some steps; 0: the usual one. @param {number} steps */
export function resizeLetters(steps) {
  const { letters, step } = cells();
  const size = Math.min(LARGEST, Math.max(SMALLEST, letters + steps * Math.max(1, step)));
  remember({ size: steps ? size : undefined });
  dispatchEvent(new Event("resize"));
}

/** Return the width and height of a cell in pixels of pictures; undefined without WebAssembly, which decodes them. */
export function pixels() {
  const { width, height } = cells();
  const scale = Math.min(devicePixelRatio, PAINTED / Math.max(width, height));
  return globalThis.WebAssembly && [Math.round(width * scale), Math.round(height * scale)];
}
