/** Tells a player whose eyes are elsewhere that it is their turn, in the ways that they chose. */

import { get, memory, promptly } from "./browser.js";

const icon = get(HTMLLinkElement, "link[rel=icon]");

/** @type {Promise<WakeLockSentinel | undefined> | undefined} */
let awake;
let mine = false;

/** Let a sound be heard; silent until the page was touched, as browsers want it. @param {"sound" | "bell"} name */
export const play = (name) => get(HTMLAudioElement, `audio#${name}`).play().catch(() => {});

/** Show a notification, or none any more; rejects where a browser shows none. @param {boolean} wanted */
export async function notify(wanted) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("The player wants none.");
  await promptly(navigator.serviceWorker.register("/worker.js"));
  const worker = await promptly(navigator.serviceWorker.ready);
  if (!worker) throw new Error("The browser starts no worker.");
  for (const shown of await worker.getNotifications()) shown.close();
  const told = { body: document.body.dataset.turn, icon: "/icon-192.png" };
  if (wanted) await worker.showNotification(document.title, told);
}

/** A screen that is waited at should not go dark; one that is not seen may. */
async function keepAwake() {
  const before = awake;
  awake = mine && !document.hidden ? navigator.wakeLock?.request("screen").catch(() => undefined) : undefined;
  await (await before)?.release();
}

document.addEventListener("visibilitychange", keepAwake);

/** Whether it is the player's turn, and whether to call for them. @type {(on: boolean, call: boolean) => void} */
export function turn(on, call) {
  mine = on;
  icon.href = on ? "/icon-turn.svg" : "/icon.svg";
  void keepAwake();
  if (memory.notify && (!on || (call && document.hidden))) notify(on).catch(() => {});
  if (!on || !call) return;
  if (memory.sound) void play("sound");
  if (memory.sound || memory.notify) navigator.vibrate?.(200);
}
