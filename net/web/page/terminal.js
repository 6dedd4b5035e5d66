/** The terminal that fills the page: its size and letters, keys, clipboard, and the edges around its cells. */

import "./strict.js";
import { WebglAddon } from "./addon-webgl.mjs";
import { Terminal } from "./xterm.mjs";
import { memory, remember } from "./memory.js";

const FONTS =
  "ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace";
const [SMALLEST, READABLE, USUAL, LARGEST] = [6, 13, 16, 40]; // CSS pixels
const [LEAST, MANY] = [
  { columns: 50, rows: 18 },
  { columns: 80, rows: 24 },
];
const LEFT = "\x1b[O"; // the terminal has lost the focus
const PASTED = 10_000; // characters
const COPIED = 100_000;

const screen = /** @type {HTMLElement} */ (document.querySelector("#screen"));
const theme = /** @type {HTMLMetaElement} */ (document.querySelector("meta[name=theme-color]"));

export const term = new Terminal({
  allowProposedApi: true,
  cursorBlink: false,
  cursorInactiveStyle: "none",
  fontFamily: FONTS,
  fontSize: memory.size ?? USUAL,
  macOptionClickForcesSelection: true,
  scrollback: 0,
  theme: { background: getComputedStyle(screen).backgroundColor },
});

/**
 * Open the terminal; its keys go to `type`, its new sizes to `resized`.
 * @param {(keys: string | Uint8Array) => void} type
 * @param {() => void} resized
 */
export function openTerminal(type, resized) {
  term.open(screen);
  draw();
  layOut();
  term.onData((keys) => keys === LEFT && document.hasFocus() ? undefined : type(keys)); // it has gone to a button
  term.onBinary((keys) => type(Uint8Array.from(keys, (key) => key.charCodeAt(0))));
  term.onResize(resized);
  term.onTitleChange((title) => (document.title = title));
  term.onRender(paintEdges);
  term.parser.registerOscHandler(52, copiedByGame);
  new ResizeObserver(layOut).observe(screen);
  const coarse = matchMedia("(hover: none) and (pointer: coarse)").matches;
  if (term.textarea && coarse) term.textarea.inputMode = "none"; // a finger never opens the phone's keyboard here
  term.focus();
}

/** Draw with WebGL, from edge to edge of cells; or with the DOM, where that is quicker and shows no seams either. */
function draw() {
  const probe = document.createElement("canvas").getContext("webgl2");
  const info = probe?.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(probe?.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? probe.RENDERER));
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  if (!probe || (devicePixelRatio === 1 && /swiftshader|llvmpipe|software|basic render/i.test(renderer))) return;
  try {
    const webgl = new WebglAddon();
    webgl.onContextLoss(() => webgl.dispose());
    term.loadAddon(webgl);
  } catch {
    // the DOM draws
  }
}

/** The size of letters, in CSS pixels. */
export const letters = () => term.options.fontSize ?? USUAL;

/** The size of a cell, in CSS pixels. */
export function cell() {
  const { width, height } = /** @type {Element} */ (screen.querySelector(".xterm-screen")).getBoundingClientRect();
  return { width: width / term.cols, height: height / term.rows };
}

/** The shape of a letter, of a size of 1: as xterm.js measures it. */
const shape = (() => {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  context.font = `100px ${FONTS}`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText("W");
  return { width: width / 100, height: (fontBoundingBoxAscent + fontBoundingBoxDescent) / 100 };
})();

/**
 * The nearest size at which cells are whole pixels of the device wide: no seams between them, no squeezed letters.
 * @param {number} size
 */
function whole(size) {
  const unit = 1 / (shape.width * devicePixelRatio);
  return Math.max(1, Math.round(size / unit)) * unit + 0.001;
}

/** Give the terminal as many cells as there is room for. */
function layOut() {
  const { clientWidth: width, clientHeight: height } = screen;
  if (!width || !height) return;
  const size = whole(memory.size ?? fitting(width, height));
  if (letters() !== size) term.options.fontSize = size;
  const one = cell();
  term.resize(Math.max(2, Math.floor(width / one.width)), Math.max(1, Math.floor(height / one.height)));
}

/**
 * The largest usual size of letters at which many cells have room, or at least those that every game needs.
 * @param {number} width
 * @param {number} height
 */
function fitting(width, height) {
  const unit = 1 / (shape.width * devicePixelRatio);
  const largest = (/** @type {typeof LEAST} */ { columns, rows }) => {
    const wide = Math.floor((width * devicePixelRatio) / columns) * unit;
    const high = Math.floor((height * devicePixelRatio) / rows) / (shape.height * devicePixelRatio);
    return Math.min(USUAL, wide, Math.floor(high / unit) * unit);
  };
  const size = largest(MANY);
  return Math.max(SMALLEST, size < READABLE ? largest(LEAST) : size);
}

/**
 * Make letters larger or smaller and remember it; 0 gives back the usual size.
 * @param {number} steps
 */
export function resizeLetters(steps) {
  const step = Math.max(1, whole(0));
  remember({ size: steps ? Math.min(LARGEST, Math.max(SMALLEST, letters() + steps * step)) : undefined });
  layOut();
}

/**
 * The colour behind a cell, as the game has set it.
 * @param {number} row
 * @param {number} column
 */
function ground(row, column) {
  const found = term.buffer.active.getLine(term.buffer.active.viewportY + row)?.getCell(column);
  if (!found) return undefined;
  const inverse = found.isInverse();
  if (!(inverse ? found.isFgRGB() : found.isBgRGB())) return undefined;
  const colour = inverse ? found.getFgColor() : found.getBgColor();
  return `#${colour.toString(16).padStart(6, "0")}`;
}

/** Continue the first and last cells of each row to the edges of the window, and their colours to the page. */
function paintEdges() {
  const { height } = cell();
  const above = (screen.clientHeight - height * term.rows) / 2;
  const halves = [0, term.cols - 1].map((column) => {
    const stops = [];
    for (let row = 0, from = 0; row < term.rows; row++) {
      const colour = ground(row, column) ?? "var(--felt)";
      if (row + 1 < term.rows && colour === (ground(row + 1, column) ?? "var(--felt)")) continue;
      const to = row + 1 < term.rows ? above + (row + 1) * height : screen.clientHeight;
      stops.push(`${colour} ${from}px ${to}px`);
      from = to;
    }
    return `linear-gradient(${stops.join(",")}) ${column ? "right" : "left"} / 50% 100% no-repeat`;
  });
  const painted = halves.join(",");
  if (painted === screen.dataset.painted) return;
  screen.dataset.painted = painted;
  screen.style.background = painted;
  const bottom = ground(term.rows - 1, term.cols - 1);
  if (bottom) {
    const light = Number.parseInt(bottom.slice(3, 5), 16) > 128; // green says most about brightness
    document.documentElement.style.setProperty("--ground", bottom);
    document.documentElement.style.setProperty("--ink", light ? "#1c1917" : "#f5efdc");
    document.documentElement.style.setProperty("--accent", light ? "#7c2d12" : "#fde68a");
  }
  theme.content = ground(0, 0) ?? theme.content;
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea"); // plain HTTP has no clipboard
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area); // what is not in an open dialog is inert
    area.select();
    document.execCommand("copy");
    area.remove();
    term.focus();
  }
}

/**
 * OSC 52: the game copies; what the clipboard holds is never told.
 * @param {string} data
 */
function copiedByGame(data) {
  const text = data.slice(data.indexOf(";") + 1);
  if (text === "?" || text.length > COPIED) return true;
  try {
    void copy(new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))));
  } catch {
    // no base64
  }
  return true;
}

/**
 * Text that holds nothing a terminal would obey.
 * @param {string} text
 */
export const plain = (text) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .slice(0, PASTED);

/**
 * Give the game text as pasted, not as keys.
 * @param {string} text
 */
export function paste(text) {
  const cleaned = plain(text);
  term.paste(term.modes.bracketedPasteMode ? cleaned : cleaned.replaceAll("\n", " "));
}

document.addEventListener(
  "paste",
  (event) => {
    if (!screen.contains(/** @type {Node} */ (event.target))) return;
    event.preventDefault();
    event.stopPropagation();
    paste(event.clipboardData?.getData("text/plain") ?? "");
  },
  true,
);

/** Leave to the browser what players expect of it; all other keys are the game's. */
term.attachCustomKeyEventHandler((event) => {
  if (event.type !== "keydown") return true;
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (["f5", "f11", "f12"].includes(key)) return false;
  if (!command || event.altKey) return true;
  if (key === "v" || (event.ctrlKey && !event.shiftKey && key === "c" && term.hasSelection())) return false;
  if (event.shiftKey && key === "c") void copy(term.getSelection());
  else if (key === "+" || key === "=") resizeLetters(1);
  else if (key === "-" || key === "_") resizeLetters(-1);
  else if (key === "0") resizeLetters(0);
  else if (key === ",") /** @type {HTMLElement} */ (document.querySelector("#open-settings")).click();
  else if (event.metaKey || (event.shiftKey && ["i", "j", "n", "t"].includes(key)) || key === "r") return false;
  else return true;
  event.preventDefault();
  return false;
});

screen.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault(); // also what a trackpad makes of a pinch
    event.stopPropagation();
    if (event.deltaY) resizeLetters(event.deltaY < 0 ? 1 : -1);
  },
  { capture: true, passive: false },
);
