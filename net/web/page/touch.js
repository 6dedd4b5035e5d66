/** What fingers do on the terminal: a tap is a click, a swipe the wheel, a pinch the size of letters. */

import { cell, letters, resizeLetters, term } from "./terminal.js";

const screen = /** @type {HTMLElement} */ (document.querySelector("#screen"));
const finger = { x: 0, y: 0, moved: false, apart: 0, size: 0 };

/**
 * Send the mouse's event at the finger's place, as SGR (mode 1006) has it.
 * @param {number} button
 * @param {"M" | "m"} end pressed, or let go
 */
function mouse(button, end) {
  if (term.modes.mouseTrackingMode === "none") return;
  const { left, top } = /** @type {Element} */ (screen.querySelector(".xterm-screen")).getBoundingClientRect();
  const { width, height } = cell();
  const place = (/** @type {number} */ at, /** @type {number} */ last) => Math.min(last, Math.max(1, Math.ceil(at)));
  const column = place((finger.x - left) / width, term.cols);
  const row = place((finger.y - top) / height, term.rows);
  term.input(`\x1b[<${button};${column};${row}${end}`);
}

/** @param {TouchList} touches */
const apart = ({ 0: one, 1: two }) =>
  one && two ? Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) : 0;

/**
 * Let fingers play; the browser makes neither clicks of their taps, nor opens the keyboard.
 * @param {() => void} tapped
 */
export function openTouch(tapped) {
  const begin = (/** @type {TouchEvent} */ event) => {
    event.preventDefault();
    const [touch] = event.touches;
    if (!touch) return;
    const { clientX: x, clientY: y } = touch;
    Object.assign(finger, { x, y, moved: event.touches.length > 1, apart: apart(event.touches), size: letters() });
  };
  screen.addEventListener("touchstart", begin, { passive: false });
  screen.addEventListener("touchmove", ({ touches }) => {
    const [touch] = touches;
    if (!touch) return;
    if (touches.length > 1) {
      const steps = Math.trunc((finger.size * apart(touches)) / finger.apart - letters());
      if (steps) resizeLetters(steps);
      return;
    }
    const step = 1.5 * cell().height;
    const [across, down] = [touch.clientX - finger.x, touch.clientY - finger.y];
    if (finger.apart || Math.max(Math.abs(across), Math.abs(down)) < step) return;
    finger.moved = true;
    if (Math.abs(down) >= Math.abs(across)) mouse(down > 0 ? 64 : 65, "M");
    else mouse(across > 0 ? 66 : 67, "M");
    finger.x = touch.clientX;
    finger.y = touch.clientY;
  });
  screen.addEventListener("touchend", ({ touches }) => {
    if (touches.length || finger.moved) return;
    mouse(0, "M");
    mouse(0, "m");
    tapped();
  });
}
