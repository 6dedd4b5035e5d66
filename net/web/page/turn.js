/** Tells a player whose eyes are elsewhere that it is their turn, in the ways that they chose. */

import { memory } from "./memory.js";
import { say } from "./words.js";

const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));

/** @type {AudioContext | undefined} */
let sound;
/** @type {WakeLockSentinel | undefined} */
let awake;
/** @type {Notification | undefined} */
let shown;
let mine = false;

/**
 * Play notes, one after the other; silent until the player has touched the page, as browsers want it.
 * @param {number[]} notes in Hz
 */
export function play(...notes) {
  sound ??= new AudioContext();
  void sound.resume();
  notes.forEach((frequency, place) => {
    if (!sound) return;
    const start = sound.currentTime + 0.16 * place;
    const [tone, loudness] = [sound.createOscillator(), sound.createGain()];
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.15, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(loudness).connect(sound.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}

/** Show a notification; false where the browser shows none. */
export function notify() {
  try {
    shown?.close();
    shown = new Notification(document.title, { body: say("turn"), icon: "/icon-192.png", tag: "turn" });
    shown.onclick = () => window.focus();
    return true;
  } catch {
    return false; // phones want a service worker for it
  }
}

/** Whether the player may be notified; asks them if need be. */
export async function mayNotify() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted" && notify();
}

/** A screen that is waited at should not go dark; one that is not seen may. */
async function keepAwake() {
  try {
    if (mine && !document.hidden) awake ??= await navigator.wakeLock?.request("screen");
    else await awake?.release();
  } catch {
    // the battery is low
  }
  if (!mine || awake?.released) awake = undefined;
}

document.addEventListener("visibilitychange", keepAwake);

/**
 * @param {boolean} on whether it is the player's turn
 * @param {boolean} call whether to call for them
 */
export function turn(on, call) {
  mine = on;
  icon.href = on ? "/icon-turn.svg" : "/icon.svg";
  void keepAwake();
  if (!on) shown?.close();
  if (!on || !call) return;
  if (memory.sound) play(660, 880);
  if (memory.notify && document.hidden) notify();
  if (memory.sound || memory.notify) navigator.vibrate?.(200);
}
