/* Shows the film of a match, and one that the reader chooses; lets the keyboard scroll wide code. */
for (const code of document.querySelectorAll("pre")) code.tabIndex = 0;

const box = document.getElementById("player");
if (box) {
  const options = { fit: "width", idleTimeLimit: 3, terminalFontFamily: "ui-monospace, monospace" };
  let player = AsciinemaPlayer.create(box.dataset.cast, box, { ...options, poster: "npt:0:12" });
  const problem = document.getElementById("film-problem");
  document.getElementById("film").addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const text = await file.text();
    problem.textContent = isFilm(text) ? "" : `“${file.name}” is not a film: boneyard export FILE --as cast makes one.`;
    if (problem.textContent) return;
    player.dispose();
    player = AsciinemaPlayer.create({ data: text }, box, { ...options, autoPlay: true });
  });
}

/** Return true for the text of a film: its first line is a header with a size. */
function isFilm(text) {
  try {
    const { version, width, height } = JSON.parse(text.slice(0, text.indexOf("\n")));
    return version === 2 && width > 0 && height > 0;
  } catch {
    return false;
  }
}
