/**
 * Shows pictures of tiles, which come as sixel images. xterm.js would take their pixels for CSS pixels; here images
 * have a layer of its own scale, in which a cell has as many pixels as the host was told.
 */

import { cell, term } from "./terminal.js";

const LARGEST = 40; // pixels of a cell, across or down; the host paints none for larger ones
const told = { width: 1, height: 1 };
let shown = false;

/** Show pictures from now on, if the browser and the host's policy let WebAssembly decode them. */
export async function openPictures() {
  try {
    void new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)); // the smallest there is
  } catch {
    return;
  }
  const { ImageAddon } = await import("./addon-image.mjs");
  const addon = new ImageAddon({ enableSizeReports: false, iipSupport: false, showPlaceholder: false });
  term.loadAddon(addon);
  const { _renderer: layer } = /** @type {any} */ (addon); // not documented; npm's packages are pinned
  const canvas = () => ({ width: told.width * term.cols, height: told.height * term.rows });
  Object.defineProperty(layer, "dimensions", { get: () => ({ css: { cell: told, canvas: canvas() } }) });
  shown = true;
}

/** Width and height of a cell, in the pixels that pictures have until this is asked again; undefined for none. */
export function pixels() {
  if (!shown) return undefined;
  const { width, height } = cell();
  const scale = Math.min(devicePixelRatio, LARGEST / Math.max(width, height));
  Object.assign(told, { width: Math.round(width * scale), height: Math.round(height * scale) });
  return [told.width, told.height];
}
