/** The terminal that fills the page: its keys and fingers, what is copied and pasted, and the edges around its cells. */

import "./strict.js";
import { cells, chooseLetters, FONTS } from "./cells.js";
import { get, screen } from "./elements.js";
import { tell, type } from "./main.js";
import { memory } from "./memory.js";
import { play } from "./turn.js";
import { Terminal } from "./xterm.mjs";

const LEFT = "\x1b[O"; // the terminal has lost the focus
const LATER = 1_000; // ms, after which the first picture is there
const PASTED = 10_000; // characters
const theme = get(HTMLMetaElement, "meta[name=theme-color]");
const { columns, letters, rows } = cells();

export const term = new Terminal({
  allowProposedApi: true,
  cols: columns,
  cursorInactiveStyle: "none",
  fontFamily: FONTS,
  fontSize: letters,
  macOptionClickForcesSelection: true,
  rows,
  scrollback: 0,
  theme: { background: getComputedStyle(screen).backgroundColor },
});

term.open(screen);
term.onData((keys) => (keys === LEFT && document.hasFocus()) || type(keys)); // else it has gone to a button
term.onBell(() => memory.bell && play("bell"));
term.onResize(({ cols, rows }) => tell({ t: "size", columns: cols, rows }));
term.onTitleChange((title) => (document.title = title));
term.onRender(paintEdges);
term.parser.registerOscHandler(52, (data) => {
  const copied = atob(data.slice(data.indexOf(";") + 1));
  void copy(new TextDecoder().decode(Uint8Array.from(copied, (byte) => byte.charCodeAt(0))));
  return true;
});
if (term.textarea && matchMedia("(hover: none) and (pointer: coarse)").matches) {
  term.textarea.inputMode = "none"; // a finger never opens the phone's keyboard here
}
new ResizeObserver(layOut).observe(screen);
setTimeout(draw, LATER);

/** Give the terminal as many cells as there is room for. */
function layOut() {
  const { columns, letters, rows } = cells();
  term.options.fontSize = letters;
  term.resize(columns, rows);
}

/** Make letters larger or smaller; 0 gives back the usual size. @param {number} steps */
export function resizeLetters(steps) {
  chooseLetters(steps);
  layOut();
}

/** Draw with WebGL, from edge to edge of cells; or with the DOM, where that is quicker and shows no seams either. */
async function draw() {
  const options = { failIfMajorPerformanceCaveat: devicePixelRatio === 1 };
  const probe = document.createElement("canvas").getContext("webgl2", options);
  if (!probe) return;
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  const { WebglAddon } = await import("./addon-webgl.mjs");
  const webgl = new WebglAddon();
  webgl.onContextLoss(() => webgl.dispose());
  term.loadAddon(webgl);
}

/** The colour behind a cell, as the game has set it. @type {(row: number, column: number) => string | undefined} */
function ground(row, column) {
  const found = term.buffer.active.getLine(row)?.getCell(column);
  const inverse = found?.isInverse();
  if (!(inverse ? found?.isFgRGB() : found?.isBgRGB())) return undefined;
  return `#${(inverse ? found?.getFgColor() : found?.getBgColor())?.toString(16).padStart(6, "0")}`;
}

let painted = "";

/** Continue the first and last cells of each row to the edges of the window, and their colours to the page. */
function paintEdges() {
  const { height } = cells();
  const above = (screen.clientHeight - height * term.rows) / 2;
  const half = (/** @type {number} */ column, /** @type {string} */ side) => {
    const stops = Array.from({ length: term.rows }, (_, row) => {
      const from = above + row * height;
      return `${ground(row, column) ?? "var(--felt)"} ${from}px ${from + height}px`;
    });
    return `linear-gradient(${stops}) ${side} / 50% 100% no-repeat`;
  };
  const now = `${half(0, "left")}, ${half(term.cols - 1, "right")}`;
  if (now === painted) return;
  screen.style.background = painted = now;
  const bottom = ground(term.rows - 1, term.cols - 1);
  if (bottom) document.documentElement.style.setProperty("--ground", bottom);
  const light = Number.parseInt(bottom?.slice(3, 5) ?? "0", 16) > 128; // green says most about brightness
  document.documentElement.style.colorScheme = light ? "light" : "dark";
  theme.content = ground(0, 0) ?? theme.content;
}

/** Leave to the browser what players expect of it; all other keys are the game's. */
term.attachCustomKeyEventHandler((event) => {
  const [key, command] = [event.key.toLowerCase(), event.ctrlKey || event.metaKey];
  if (event.type !== "keydown") return true;
  if (["f5", "f11", "f12"].includes(key)) return false;
  if (!command || event.altKey) return true;
  if (key === "v" || (event.ctrlKey && !event.shiftKey && key === "c" && term.hasSelection())) return false;
  if (event.shiftKey && key === "c") void copy(term.getSelection());
  else if (key === "+" || key === "=") resizeLetters(1);
  else if (key === "-" || key === "_") resizeLetters(-1);
  else if (key === "0") resizeLetters(0);
  else if (key === ",") get(HTMLElement, "#open-settings").click();
  else return !(event.metaKey || (event.shiftKey && "ijnt".includes(key)) || key === "r");
  event.preventDefault();
  return false;
});

term.attachCustomWheelEventHandler((event) => {
  if (!event.ctrlKey) return true;
  event.preventDefault(); // also what a trackpad makes of a pinch
  if (event.deltaY) resizeLetters(event.deltaY < 0 ? 1 : -1);
  return false;
});

/** Copy a text. @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).catch(() => {});
  const area = document.createElement("textarea"); // plain HTTP has no other way
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  term.focus();
}

/** Give the game text as pasted, not as keys, without what a terminal would obey. @param {string} text */
export function paste(text) {
  const cleaned = text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n]/gu, " ").slice(0, PASTED);
  term.paste(term.modes.bracketedPasteMode ? cleaned : cleaned.replaceAll("\n", " "));
}

/** @param {ClipboardEvent} event */
function pasted(event) {
  event.preventDefault();
  event.stopPropagation();
  paste(event.clipboardData?.getData("text/plain") ?? "");
}

screen.addEventListener("paste", pasted, true);
