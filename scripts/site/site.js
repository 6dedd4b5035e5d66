/* Shows the film of a match, and one that the reader chooses; lets the keyboard scroll wide code. */
for (const code of document.querySelectorAll("pre")) code.tabIndex = 0;

/* The theme's search has grey on grey, over a page that shines through; site.css cannot reach into it. */
const search = [...document.body.children].find((element) => element.shadowRoot)?.shadowRoot;
const style = document.createElement("style");
style.textContent = `
  dialog > div + div { background: rgb(var(--color-background)) !important }
  menu { color: inherit !important }`;
search?.append(style);

const box = document.getElementById("player");
if (box) {
  const options = { fit: "width", idleTimeLimit: 3, terminalFontFamily: "ui-monospace, monospace" };
  let player = AsciinemaPlayer.create(box.dataset.cast, box, { ...options, poster: "npt:0:12" });
  const problem = document.getElementById("film-problem");
  document.getElementById("film").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const text = await file.text().catch(() => "");
    problem.textContent = isFilm(text) ? "" : `“${file.name}” is not a film: boneyard export FILE --as cast makes one.`;
    if (problem.textContent) return;
    player.dispose();
    player = AsciinemaPlayer.create({ data: text }, box, { ...options, autoPlay: true });
  });
}

/** Return true for the text of a film: a header with a size, then events of a time, a kind and a text. */
function isFilm(text) {
  try {
    const lines = text.split("\n").filter((line) => line.trim() && !line.startsWith("#"));
    const [{ version, term, width, height }, ...events] = lines.map((line) => JSON.parse(line));
    const isSize = (size) => size > 0 && size <= 1000;
    const isEvent = ([time, kind, data]) => time >= 0 && typeof kind === "string" && typeof data === "string";
    const sizes = version === 3 ? [term.cols, term.rows] : [width, height];
    return [2, 3].includes(version) && sizes.every(isSize) && events.length > 0 && events.every(isEvent);
  } catch {
    return false;
  }
}
