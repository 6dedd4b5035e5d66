/** How large letters are, and for how many cells there is room. */

import { screen } from "./elements.js";
import { memory, remember } from "./memory.js";

export const FONTS =
  "ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace";
const [SMALLEST, LARGEST] = [6, 40]; // CSS pixels
const PAINTED = 40; // pixels of a cell, across or down; the host paints none for larger ones
const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** A cell for letters of a size, in pixels of the device, as xterm.js measures it. @param {number} letters */
function measured(letters) {
  ruler.font = `${letters}px ${FONTS}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = ruler.measureText("W");
  return [width * devicePixelRatio, (fontBoundingBoxAscent + fontBoundingBoxDescent) * devicePixelRatio];
}

/** The size of letters and of a cell now, in CSS pixels, how many cells there are, and by how much letters may grow. */
export function cells() {
  const step = 100 / measured(100)[0]; // a cell is a pixel wider, and always whole ones: no seams between them
  const letters = Math.floor((memory.size ?? parseFloat(getComputedStyle(screen).fontSize)) / step) * step + 0.001;
  const [width, height] = measured(letters).map((size) => Math.ceil(size - 0.01) / devicePixelRatio);
  const [columns, rows] = [Math.floor(screen.clientWidth / width), Math.floor(screen.clientHeight / height)];
  return { letters, width, height, columns: Math.max(2, columns), rows: Math.max(1, rows), step };
}

/** Remember larger or smaller letters; with 0, the usual ones again. @param {number} steps */
export function chooseLetters(steps) {
  const { letters, step } = cells();
  const size = letters + steps * Math.max(1, step);
  remember({ size: steps ? Math.min(LARGEST, Math.max(SMALLEST, size)) : undefined });
}

/** Width and height of a cell in the pixels of pictures; undefined where no WebAssembly may decode any. */
export function pixels() {
  try {
    void new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); // the smallest there is
  } catch {
    return undefined;
  }
  const { width, height } = cells();
  const scale = Math.min(devicePixelRatio, PAINTED / Math.max(width, height));
  return [Math.round(width * scale), Math.round(height * scale)];
}
