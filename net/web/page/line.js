/** The line to the host: a WebSocket with the terminal's bytes and messages, opened again when it breaks. */

const [BYTES, MESSAGE] = [0, 1];
const FRAME = 16_000; // bytes; the host takes 16 KiB at once
const [ALIVE, ANSWER] = [30_000, 5_000]; // ms: how often a quiet line says so, and how long a waking one waits
const [SHORTEST, LONGEST] = [500, 15_000]; // ms between two attempts

/** @typedef {{t: string, [field: string]: any}} Message */

export class Line {
  /** @type {WebSocket | undefined} */
  #socket;
  #wait = SHORTEST;
  #retry = 0;
  #probe = 0;
  #quiet = true;
  #answers = false;
  #wanted = true;

  /**
   * @param {(bytes: Uint8Array) => void} onBytes
   * @param {(message: Message) => void} onMessage
   * @param {() => void} onBreak the line is gone, and will be opened again
   */
  constructor(onBytes, onMessage, onBreak) {
    this.onBytes = onBytes;
    this.onMessage = onMessage;
    this.onBreak = onBreak;
    setInterval(() => {
      if (this.#quiet) this.tell({ t: "alive" });
      this.#quiet = true;
    }, ALIVE);
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.#broken());
    addEventListener("pageshow", () => this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    this.open();
  }

  /** Come in, now. */
  open() {
    this.close();
    this.#wanted = true;
    this.#answers = false;
    const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`, "boneyard.1");
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => this.#received(new Uint8Array(data));
    socket.onclose = () => this.#broken();
    this.#socket = socket;
  }

  /** Leave, and stay away until `open`. */
  close() {
    this.#wanted = false;
    clearTimeout(this.#retry);
    clearTimeout(this.#probe);
    if (!this.#socket) return;
    this.#socket.onclose = this.#socket.onmessage = null;
    this.#socket.close();
    this.#socket = undefined;
  }

  /** Make sure of the line after a sleep: one that is broken is opened at once, a silent one is asked. */
  wake() {
    if (!this.#wanted) return;
    if (!this.#socket) this.open();
    else if (this.#answers) {
      this.tell({ t: "alive" });
      clearTimeout(this.#probe);
      this.#probe = setTimeout(() => this.#broken(), ANSWER);
    }
  }

  /** The host has let the player in: the next break waits for a short time again. */
  settled() {
    this.#wait = SHORTEST;
    this.tell({ t: "alive" });
  }

  /** @param {Message} message */
  tell(message) {
    this.#send(MESSAGE, new TextEncoder().encode(JSON.stringify(message)));
  }

  /** @param {string | Uint8Array} keys */
  type(keys) {
    const bytes = typeof keys === "string" ? new TextEncoder().encode(keys) : keys;
    for (let start = 0; start < bytes.length; start += FRAME) this.#send(BYTES, bytes.subarray(start, start + FRAME));
  }

  /**
   * @param {number} kind
   * @param {Uint8Array} content
   */
  #send(kind, content) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const frame = new Uint8Array(content.length + 1);
    frame[0] = kind;
    frame.set(content, 1);
    this.#socket.send(frame);
    this.#quiet = false;
  }

  /** @param {Uint8Array} frame */
  #received(frame) {
    clearTimeout(this.#probe);
    const content = frame.subarray(1);
    if (frame[0] === BYTES) return this.onBytes(content);
    if (frame[0] !== MESSAGE) return; // of a newer host
    const message = JSON.parse(new TextDecoder().decode(content));
    if (message.t === "alive") this.#answers = true;
    else this.onMessage(message);
  }

  #broken() {
    if (!this.#wanted) return;
    this.close();
    this.#wanted = true;
    this.#retry = setTimeout(() => this.open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST, 2 * this.#wait);
    this.onBreak();
  }
}
