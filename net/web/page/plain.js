/** The page without a terminal: asks for news all the time, and sends answers without a new page. */

const log = /** @type {HTMLElement} */ (document.getElementById("log"));
const choose = /** @type {HTMLFormElement} */ (document.getElementById("choose"));
const answer = /** @type {HTMLFormElement} */ (document.getElementById("answer"));
const again = /** @type {HTMLFormElement} */ (document.getElementById("again"));
const line = /** @type {HTMLInputElement} */ (answer.elements.namedItem("line"));
const visit = /** @type {HTMLInputElement} */ (answer.elements.namedItem("visit")).value;
let count = Number(log.dataset["count"]);
let over = false;

/**
 * @param {"say" | "news"} what
 * @param {Record<string, string>} more
 */
async function ask(what, more) {
  const body = new URLSearchParams({ visit, after: String(count), ...more });
  const headers = { Accept: "application/json" };
  const answered = await fetch((what === "say" ? answer : again).action, { method: "POST", body, headers });
  /** @type {{said: string[], count: number, choices: [string, string][], over: boolean, told: string}} */
  const news = await answered.json();
  const missed = news.count - count;
  for (const said of missed > 0 ? news.said.slice(-missed) : []) add(said);
  count = Math.max(count, news.count);
  show(news.choices);
  if (news.over && !over) end(news.told);
}

/** @param {string} said */
function add(said) {
  const told = document.createElement("p");
  told.textContent = said;
  log.append(told);
  log.scrollTop = log.scrollHeight;
}

/** @param {[string, string][]} choices */
function show(choices) {
  const list = /** @type {HTMLElement} */ (document.getElementById("choices"));
  const shown = JSON.stringify(choices);
  if (list.dataset["shown"] === shown) return;
  list.dataset["shown"] = shown;
  choose.hidden = choices.length === 0;
  list.replaceChildren(
    ...choices.map(([number, text]) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.name = "line";
      button.value = number;
      button.textContent = `${number}. ${text}`;
      item.append(button);
      return item;
    }),
  );
}

/** @param {string} told */
function end(told) {
  over = true;
  add(told);
  choose.hidden = answer.hidden = true;
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  const chosen = event.submitter instanceof HTMLButtonElement && event.submitter.name ? event.submitter.value : "";
  void ask("say", { line: chosen || line.value });
  line.value = "";
  line.focus();
}

choose.addEventListener("submit", submit);
answer.addEventListener("submit", submit);
again.hidden = true;
log.scrollTop = log.scrollHeight;
while (!over) {
  try {
    await ask("news", {});
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

export {};
