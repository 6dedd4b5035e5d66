/** The page without a terminal: it polls for news, and sends answers without loading a new page. */

import { get } from "./browser.js";

const log = get(HTMLElement, "#log");
const line = get(HTMLInputElement, "#answer [name=line]");
const visit = get(HTMLInputElement, "#answer [name=visit]").value;
const paths = { say: get(HTMLFormElement, "#answer").action, news: get(HTMLFormElement, "#again").action };
let [count, over] = [Number(log.dataset.count), false];

/** Send a request; insert the new text. @type {(what: "say" | "news", typed?: string) => Promise<void>} */
async function ask(what, typed = "") {
  const body = new URLSearchParams({ visit, after: String(count), line: typed });
  const answered = await fetch(paths[what], { method: "POST", body });
  const page = new DOMParser().parseFromString(await answered.text(), "text/html");
  if (!answered.ok || over) throw new Error("none that can be shown");
  const [told, choices] = [page.querySelector("#log"), page.querySelector("#choose")];
  const now = told instanceof HTMLElement ? Number(told.dataset.count) : 0;
  if (now > count) log.append(...[...(told?.children ?? [])].slice(count - now));
  count = Math.max(count, now);
  log.scrollTop = log.scrollHeight;
  const shown = get(HTMLElement, "#choose");
  if (choices) return void (shown.isEqualNode(choices) || shown.replaceWith(choices));
  over = true;
  for (const form of [...document.forms]) form.remove();
  log.after(...page.querySelectorAll("main > :not(h1, h2, #log)"));
}

document.onsubmit = (event) => {
  if (over) return;
  event.preventDefault();
  const chosen = event.submitter instanceof HTMLButtonElement && event.submitter.value;
  ask("say", chosen || line.value).catch(() => {}); // the session is over
  line.value = "";
  line.focus();
};

get(HTMLElement, "#again").remove();
log.scrollTop = log.scrollHeight;
while (!over) await ask("news").catch(() => new Promise((resolve) => setTimeout(resolve, 2000)));
