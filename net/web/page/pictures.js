/** Shows pictures of tiles, sixel images, on a layer whose cells have the number of pixels that the host got. */

import { ImageAddon } from "./addon-image.mjs";
import { pixels } from "./cells.js";
import { term } from "./terminal.js";

const [width = 1, height = 1] = pixels();
const addon = new ImageAddon({ enableSizeReports: false, iipSupport: false, showPlaceholder: false });
term.loadAddon(addon);
const { _renderer: layer } = /** @type {any} */ (addon); // undocumented; npm's packages are pinned
Object.defineProperty(layer, "dimensions", {
  get: () => ({ css: { cell: { width, height }, canvas: { width: width * term.cols, height: height * term.rows } } }),
});
