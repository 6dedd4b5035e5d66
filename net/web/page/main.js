/** The connection to the host: a WebSocket with the terminal's bytes and messages, opened again when it breaks. */

import { byFinger, get, memory, promptly, remember } from "./browser.js";
import { cells, pixels } from "./cells.js";
import { entrance, goToTarget, isSeated, leaveTable, nameToUse, takeSeat } from "./entrance.js";
import { proof } from "./identity.js";
import { turn } from "./turn.js";

const notice = get(HTMLFormElement, "#notice");
const field = get(HTMLInputElement, "#notice input");
const button = get(HTMLButtonElement, "#notice button");
const plainly = get(HTMLAnchorElement, "#notice a");
const [BYTES, MESSAGE] = [0, 1]; // first byte of a frame
const [ALIVE, ANSWER] = [30_000, 5_000]; // ms between two pings of the host, and for its answer
const [SHORTEST, LONGEST] = [500, 15_000]; // ms between two attempts
const LATEST = 400; // ms until the rest of the page is loaded in any case
const [CONNECTS, ATTEMPTS] = [6_000, 3]; // ms for a WebSocket to open, and failures before the player gets a notice

/** @type {WebSocket | undefined} */
let socket;
let [wait, retry, probe, isIn] = [SHORTEST, 0, 0, false];
let asked = { nonce: "", host: "" };
let [failed, warned, proven, isBlocked] = [0, false, false, false];

/** Connect at once. */
function open() {
  close();
  socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`, "boneyard.1");
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => received(new Uint8Array(data));
  socket.onclose = broken;
  socket.onopen = () => clearTimeout(probe);
  probe = setTimeout(broken, CONNECTS);
}

/** Disconnect, and do not reconnect. */
function close() {
  clearTimeout(retry);
  clearTimeout(probe);
  [retry, isIn] = [0, false];
  if (socket) socket.onopen = socket.onclose = socket.onmessage = null;
  socket?.close();
  socket = undefined;
}

function broken() {
  close();
  retry = setTimeout(open, wait * (0.75 + Math.random() / 2));
  wait = Math.min(LONGEST, 2 * wait);
  if (!isBlocked) say(notice.dataset.lost);
  if (!asked.nonce && ++failed >= ATTEMPTS) void blocked();
}

/** If pages arrive but no WebSocket opens, say so and link to the page that needs none; the host logs it. */
async function blocked() {
  const answer = await promptly(fetch("/no-websocket"));
  if (asked.nonce || !answer?.ok) return;
  isBlocked = true;
  say(notice.dataset.blocked);
  plainly.href = `/plain${location.pathname}${location.search}`;
  plainly.hidden = false;
}

/** Check the connection, also after a sleep: reopen a broken one at once, ping a silent one. */
function wake() {
  if (retry) open();
  if (!isIn || document.hidden) return;
  tell({ t: "alive" });
  clearTimeout(probe);
  probe = setTimeout(broken, ANSWER);
}

/** Answer the host's request for the player's identity; with an invitation code, if it asks for one. */
async function enter(invite = "") {
  const key = await proof(asked.nonce, location.origin, asked.host);
  proven = Boolean(key);
  if (!key && crypto.subtle && !warned) {
    warned = true;
    return say(notice.dataset.keyless, () => enter(invite));
  }
  const { columns, rows } = cells();
  const [cell, lang, path] = [pixels(), document.documentElement.lang, location.pathname + location.search];
  const [user, touched] = [memory.user ?? "", byFinger];
  tell({ t: "enter", columns, rows, cell, lang, path, user, named: true, touched, invite, key });
}

/** The handler of each message of the host. @type {Record<string, (message: any) => unknown>} */
const handlers = {
  ask(message) {
    [asked, isBlocked] = [message, false];
    void enter();
  },
  async in() {
    [wait, isIn] = [SHORTEST, true];
    notice.hidden = true;
    takeSeat();
    const [{ term }] = await loaded;
    term.write("\x1bc"); // clear the picture from before the connection broke
    term.focus();
    if (proven && !memory.kept) void keep();
  },
  no: ({ why, asks }) => (asks ? say(why || notice.dataset.invite, enter, true) : handlers.bye?.({ why })),
  keys: async ({ keys, text, bar }) => (await loaded)[1].offer(keys, text, bar),
  turn: ({ on, call }) => turn(on, call),
  at({ path, share }) {
    get(HTMLButtonElement, "#share").value = share;
    history.replaceState(null, "", path);
  },
  name: ({ user }) => remember({ user }),
  bye({ why, again }) {
    turn(false, false);
    if (again) return; // the connection ends now, and is opened again
    close();
    leaveTable(why);
  },
};

/** Ask the browser once to store the key permanently; where it deletes pages' data after a week, say what helps. */
async function keep() {
  remember({ kept: true });
  const forgets = "standalone" in navigator || "safari" in window; // Safari on phones and on computers
  if ((await promptly(navigator.storage?.persist?.())) || !forgets) return;
  say(notice.dataset.forgets, async () => (await loaded)[0].term.focus());
}

/**
 * Show a sentence over the dimmed terminal; with a button if the player can act, and a field if a word is needed.
 * @type {(why?: string, todo?: (word: string) => void, asks?: boolean) => void}
 */
function say(why = "", todo = undefined, asks = false) {
  get(HTMLElement, "#why").textContent = why;
  notice.hidden = false;
  plainly.hidden = true;
  button.hidden = !todo;
  field.hidden = field.disabled = !asks;
  field.value = "";
  (asks ? field : button).focus();
  notice.onsubmit = (event) => {
    event.preventDefault();
    notice.hidden = true;
    todo?.(field.value.trim());
  };
}

/** @param {Uint8Array} frame */
async function received(frame) {
  clearTimeout(probe);
  if (frame[0] === BYTES) return (await loaded)[0].term.write(frame.subarray(1));
  const message = JSON.parse(new TextDecoder().decode(frame.subarray(1)));
  handlers[message.t]?.(message);
}

/** @type {(kind: number, text: string) => void} */
function send(kind, text) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(Uint8Array.of(kind, ...new TextEncoder().encode(text)));
}

/** Send a message to the host. @param {{t: string, [field: string]: any}} message */
export const tell = (message) => send(MESSAGE, JSON.stringify(message));

/** Send typed keys. @param {string} keys */
export const type = (keys) => send(BYTES, keys);

if (isSeated()) open();
entrance.onsubmit = (event) => {
  event.preventDefault();
  remember({ user: nameToUse() });
  entrance.hidden = true;
  goToTarget();
  open();
};
/** The end of the first paint; of a page that is hidden, or whose player is in, it is not awaited for long. */
const painted = new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, isSeated() ? 0 : LATEST);
});
/** The rest of the page, loaded once the entrance is painted. */
const loaded = painted.then(async () => {
  const images = pixels() && import("./pictures.js");
  const [terminal, panel] = await Promise.all([import("./terminal.js"), import("./panel.js"), import("./xterm.mjs")]);
  await images;
  return /** @type {const} */ ([terminal, panel]);
});
setInterval(wake, ALIVE);
addEventListener("online", wake);
addEventListener("offline", () => socket && broken());
document.addEventListener("visibilitychange", wake);

const view = visualViewport; // smaller than the page under the keyboard of some phones
const fit = () => Object.assign(document.body.style, { height: `${view?.height}px`, top: `${view?.offsetTop}px` });
for (const changed of ["resize", "scroll"]) view?.addEventListener(changed, fit);
