/** Shows the tab of a player who taps a notification: on phones only a worker may show one. It stores nothing. */

addEventListener("notificationclick", (/** @type {any} */ event) => {
  const { clients } = /** @type {any} */ (self);
  event.notification.close();
  const tabs = clients.matchAll({ type: "window", includeUncontrolled: true });
  event.waitUntil(tabs.then((/** @type {any[]} */ [tab]) => tab?.focus() ?? clients.openWindow("/")));
});
