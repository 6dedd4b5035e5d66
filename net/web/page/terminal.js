/** The terminal that fills the page: its keys, touches and letters, and the edges around its cells. */

import "./strict.js";
import { byFinger, get, memory, promptly } from "./browser.js";
import { cells, FONTS, resizeLetters, screen } from "./cells.js";
import { tell, type } from "./main.js";
import { play } from "./turn.js";
import { Terminal } from "./xterm.mjs";

const style = Object.assign(document.createElement("link"), { rel: "stylesheet" });
await new Promise((done) => {
  Object.assign(style, { onload: done, onerror: done, href: new URL("./xterm.css", import.meta.url).href });
  document.head.append(style);
});
const LEFT = "\x1b[O"; // the terminal has lost the focus
const [PASTE, PASTED] = ["\x1b[200~", "\x1b[201~"];
const MOST = 5_000; // maximum characters of a paste, so that it fits into one message
const LATER = 1_000; // ms after which the first picture has been drawn
let [now, slack, painted] = [cells(), 0, ""];

export const term = new Terminal({
  allowProposedApi: true,
  cols: now.columns,
  cursorInactiveStyle: "none",
  fontFamily: FONTS,
  fontSize: now.letters,
  macOptionClickForcesSelection: true,
  rows: now.rows,
  scrollback: 0,
  theme: { background: getComputedStyle(screen).backgroundColor },
});

term.open(screen);
term.onData((keys) => (keys === LEFT && document.hasFocus()) || type(harmless(keys))); // otherwise a button has it
term.onBell(() => memory.bell && play("bell"));
term.onResize(({ cols, rows }) => tell({ t: "size", columns: cols, rows }));
term.onTitleChange((title) => (document.title = title));
term.onRender(paintEdges);
term.parser.registerOscHandler(52, (data) => {
  const copied = atob(data.slice(data.indexOf(";") + 1));
  void copy(new TextDecoder().decode(Uint8Array.from(copied, (byte) => byte.charCodeAt(0))));
  return true;
});
get(HTMLElement, "#screen textarea").inputMode = byFinger ? "none" : "text"; // a touch then opens no keyboard
new ResizeObserver(layOut).observe(screen);
addEventListener("resize", layOut);
setTimeout(draw, LATER);

/** Resize the terminal to the number of cells that fit. */
function layOut() {
  now = cells();
  term.options.fontSize = now.letters + slack;
  term.resize(now.columns, now.rows);
}

/** Draw with WebGL, without seams between cells; or with the DOM, where that is faster and shows no seams either. */
async function draw() {
  const wanted = { failIfMajorPerformanceCaveat: devicePixelRatio === 1 };
  if (!document.createElement("canvas").getContext("webgl2", wanted)) return;
  const { WebglAddon } = await import("./addon-webgl.mjs");
  const webgl = new WebglAddon();
  webgl.onContextLoss(() => webgl.dispose());
  term.loadAddon(webgl);
  slack = 0.02; // its cells have whole pixels; the size of a letter is in 64ths
  layOut();
}

/** Return typed text; a paste without control characters. @param {string} keys */
function harmless(keys) {
  if (!keys.startsWith(PASTE)) return keys;
  return PASTE + keys.slice(PASTE.length, -PASTED.length).slice(0, MOST).replace(/[^\P{Cc}\r]/gu, " ") + PASTED;
}

/** Copy a text. @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) return promptly(navigator.clipboard.writeText(text));
  const area = document.createElement("textarea"); // the only way over plain HTTP
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  term.focus();
}

/** Return the background colour of a cell. @type {(row: number, column: number) => string | undefined} */
function ground(row, column) {
  const cell = term.buffer.active.getLine(row)?.getCell(column);
  const colour = cell?.isInverse() ? cell.isFgRGB() && cell.getFgColor() : cell?.isBgRGB() && cell.getBgColor();
  return typeof colour === "number" ? `#${colour.toString(16).padStart(6, "0")}` : undefined;
}

/** Extend the colours of the first and last cells of each row to the edges of the window, and to the page. */
function paintEdges() {
  const above = (screen.clientHeight - now.height * term.rows) / 2;
  const half = (/** @type {number} */ column, /** @type {string} */ side) => {
    const stops = Array.from({ length: term.rows }, (_, row) => {
      const from = above + row * now.height;
      return `${ground(row, column) ?? "var(--felt)"} ${from}px ${from + now.height}px`;
    });
    return `linear-gradient(${stops}) ${side} / 50% 100% no-repeat`;
  };
  const edges = `${half(0, "left")}, ${half(term.cols - 1, "right")}`;
  const bottom = ground(term.rows - 1, term.cols - 1);
  if (edges === painted || !bottom) return;
  screen.style.background = painted = edges;
  const light = Number.parseInt(bottom.slice(3, 5), 16) > 128; // green contributes most to brightness
  document.documentElement.style.setProperty("--ground", bottom);
  document.documentElement.style.colorScheme = light ? "light" : "dark";
  get(HTMLMetaElement, "meta[name=theme-color]").content = ground(0, 0) ?? bottom;
}

/** Leave the browser its usual keys; all others are the game's. */
term.attachCustomKeyEventHandler((event) => {
  const [key, command] = [event.key.toLowerCase(), event.ctrlKey || event.metaKey];
  if (["f5", "f11", "f12"].includes(key)) return false;
  if (event.type !== "keydown" || !command || event.altKey) return true;
  if (key === "v" || (event.ctrlKey && !event.shiftKey && key === "c" && term.hasSelection())) return false;
  if (event.shiftKey && key === "c") void copy(term.getSelection());
  else if ("+=-_0".includes(key)) resizeLetters("+=".includes(key) ? 1 : key === "0" ? 0 : -1);
  else if (key === ",") get(HTMLElement, "#open-settings").click();
  else return !(event.metaKey || (event.shiftKey && ["i", "j", "n", "t"].includes(key)) || key === "r");
  event.preventDefault();
  return false;
});

term.attachCustomWheelEventHandler((event) => {
  if (!event.ctrlKey) return true;
  event.preventDefault(); // also for the wheel events of a pinch on a trackpad
  if (event.deltaY) resizeLetters(event.deltaY < 0 ? 1 : -1);
  return false;
});

/** Return the distance between two fingers. @param {TouchList} touches */
const apart = ({ 0: one, 1: two }) =>
  one && two ? Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) : 0;

let [y, begun, size] = [0, 0, 0];
screen.ontouchstart = ({ touches }) => {
  [y, begun, size] = [touches[0]?.clientY ?? 0, apart(touches), now.letters];
};

/** Browsers turn taps into clicks; here a pinch changes the size of letters, and a swipe turns the wheel. */
screen.ontouchmove = ({ target, touches }) => {
  const { clientX = 0, clientY = 0 } = touches[0] ?? {};
  const steps = begun && apart(touches) && Math.trunc((size * apart(touches)) / begun - now.letters);
  if (steps) resizeLetters(steps);
  if (begun || Math.abs(clientY - y) < 1.5 * now.height) return;
  const turned = { deltaY: Math.sign(y - clientY), deltaMode: WheelEvent.DOM_DELTA_LINE, bubbles: true };
  target?.dispatchEvent(new WheelEvent("wheel", { ...turned, clientX, clientY }));
  y = clientY;
};
