/** Shows pictures of tiles, sixel images: on a layer in which a cell has as many pixels as the host was told. */

import { ImageAddon } from "./addon-image.mjs";
import { pixels } from "./cells.js";
import { term } from "./terminal.js";

const [width = 1, height = 1] = pixels();
const addon = new ImageAddon({ enableSizeReports: false, iipSupport: false, showPlaceholder: false });
term.loadAddon(addon);
const { _renderer: layer } = /** @type {any} */ (addon); // not documented; npm's packages are pinned
Object.defineProperty(layer, "dimensions", {
  get: () => ({ css: { cell: { width, height }, canvas: { width: width * term.cols, height: height * term.rows } } }),
});
