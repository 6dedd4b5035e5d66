/** The page of Boneyard: comes in over the line, and lets terminal, bar, settings and line know of each other. */

import { proof } from "./identity.js";
import { Line } from "./line.js";
import { memory, remember } from "./memory.js";
import { openSettings, share, tell, tellNothing } from "./panel.js";
import { offer, openBar, writeIfWanted } from "./phone.js";
import { play, turn } from "./turn.js";
import { language, say } from "./words.js";

document.documentElement.lang = language;
/** @type {Element} */ (document.querySelector("#plain")).textContent = say("plain");

const loaded = Promise.all([
  import("./terminal.js"),
  import("./touch.js"),
  import("./pictures.js"),
]).then(async ([terminal, { openTouch }, { openPictures, pixels }]) => {
  terminal.openTerminal(
    (keys) => line.type(keys),
    () => line.tell({ t: "size", columns: terminal.term.cols, rows: terminal.term.rows }),
  );
  openTouch(writeIfWanted);
  terminal.term.onBell(() => memory.bell && play(520));
  openSettings(terminal);
  openBar(
    (keys) => terminal.term.input(keys, true),
    (text, takesText) => {
      if (takesText) terminal.paste(text);
      else terminal.term.input(terminal.plain(text).replaceAll("\n", " "), true);
      if (takesText || !text) terminal.term.input("\r", true);
    },
  );
  await openPictures();
  return { ...terminal, pixels };
});

let been = false;
let fresh = false;

/**
 * Introduce the player to the host, who has asked.
 * @param {import("./line.js").Message} asked
 * @param {string} [invite]
 */
async function enter(asked, invite) {
  const [{ term, pixels }, key] = await Promise.all([loaded, proof(asked.nonce, asked.host)]);
  line.tell({
    t: "enter",
    columns: term.cols,
    rows: term.rows,
    cell: pixels(),
    lang: navigator.language,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    path: location.pathname + location.search,
    user: memory.user ?? "",
    invite: invite ?? "",
    key,
    again: been,
  });
}

/** Come in from the start, because the player wants to. */
function comeIn() {
  tellNothing();
  line.open();
}

/** @type {import("./line.js").Message} */
let asked = { t: "ask" };

/** What to do about each message of the host. @type {Record<string, (message: any) => void>} */
const handlers = {
  ask(message) {
    asked = message;
    void enter(message);
  },
  in() {
    been = fresh = true;
    tellNothing();
    line.settled();
    void loaded.then(({ term }) => term.focus());
  },
  no({ why, asks }) {
    if (asks === "invite") {
      const done = (/** @type {string} */ code) => (tellNothing(), void enter(asked, code));
      return tell(why || say("invite"), { button: say("enter"), asks: true, done });
    }
    line.close();
    tell(why, { button: say("enter"), done: comeIn });
  },
  keys: ({ keys, text }) => offer(keys, text),
  turn: ({ on, call }) => turn(on, call),
  at({ path, share: others }) {
    share(others);
    const { pathname, search } = new URL(path, location.origin);
    history.replaceState(null, "", pathname + search);
  },
  name: ({ user }) => remember({ user }),
  bye({ why, again }) {
    turn(false, false);
    if (again) return; // the line breaks now, and is opened again
    line.close();
    tell(why, { button: say("again"), done: comeIn });
  },
};

const line = new Line(
  async (bytes) => {
    const { term } = await loaded;
    if (fresh) term.write("\x1bc"); // nothing stays of the picture before the line broke
    fresh = false;
    term.write(bytes);
  },
  (message) => handlers[message.t]?.(message),
  () => tell(say("lost")),
);

/** The page is as high as what the phone's keyboard leaves of the window. */
function fit() {
  const { height, offsetTop } = /** @type {VisualViewport} */ (visualViewport);
  document.documentElement.style.setProperty("--height", `${height}px`);
  document.documentElement.style.setProperty("--top", `${offsetTop}px`);
}

visualViewport?.addEventListener("resize", fit);
visualViewport?.addEventListener("scroll", fit);
