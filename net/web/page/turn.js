/** Notifies a player who does not look at the page that it is their turn, in the ways that they chose. */

import { get, memory, promptly } from "./browser.js";

const icon = get(HTMLLinkElement, "link[rel=icon]");

/** @type {Promise<WakeLockSentinel | undefined> | undefined} */
let awake;
let mine = false;

/** Play a sound; browsers allow none until the page was touched. @param {"sound" | "bell"} name */
export const play = (name) => get(HTMLAudioElement, `audio#${name}`).play().catch(() => {});

/** Show a notification, or remove it; rejects where a browser shows none. @param {boolean} wanted */
export async function notify(wanted) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("The player wants none.");
  await promptly(navigator.serviceWorker.register("/worker.js"));
  const worker = await promptly(navigator.serviceWorker.ready);
  if (!worker) throw new Error("The browser starts no worker.");
  for (const notification of await worker.getNotifications()) notification.close();
  const notice = { body: document.body.dataset.turn, icon: "/icon-192.png" };
  if (wanted) await worker.showNotification(document.title, notice);
}

/** Keep the screen on while the player waits for a turn; let it go dark while the page is hidden. */
async function keepAwake() {
  const before = awake;
  awake = mine && !document.hidden ? navigator.wakeLock?.request("screen").catch(() => undefined) : undefined;
  await (await before)?.release();
}

document.addEventListener("visibilitychange", keepAwake);

/** Note whether it is the player's turn; notify them if `call`. @type {(on: boolean, call: boolean) => void} */
export function turn(on, call) {
  mine = on;
  icon.href = on ? "/icon-turn.svg" : "/icon.svg";
  void keepAwake();
  if (memory.notify && (!on || (call && document.hidden))) notify(on).catch(() => {});
  if (!on || !call) return;
  if (memory.sound) void play("sound");
  if (memory.sound || memory.notify) navigator.vibrate?.(200);
}
