"""Builds the site from README.md, docs/ and the games in five languages, and serves it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.presets import Preset, presets_of
from core.variant import Variant
from themes import load_theme
from tui.i18n import _, begin_session
from tui.model.look import Look
from tui.model.playback import Playback, Recording
from tui.records.export import cast_lines
from tui.rulebook import house_rules, rules_text
from tui.text.names import sort_by_place
from tui.version import SOFTWARE
from tui.wording import label_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PLAYER = ROOT / "scripts/page/tools/node_modules/asciinema-player/dist/bundle"
LANGUAGES = {"en": "English", "es": "Español", "de": "Deutsch", "pt_BR": "Português", "id": "Bahasa Indonesia"}
TOP = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
TOP |= {"CHANGELOG.md": "changes.md", "CODE_OF_CONDUCT.md": "conduct.md", "docs/games.md": "games/index.md"}
"""Pages with another name or folder on the site."""
LISTS = {"docs/decisions": "Decisions", "docs/languages": "Words of the translations"}
"""Titles of folders without a README.md, whose page on the site is a list."""
ENGLISH_PARTS = (
    *("md-skip", "md-header", "md-tabs", "md-sidebar md-sidebar--primary"),
    *("md-nav__title", "md-sidebar-button__wrapper", "md-top md-icon", "md-footer"),
)
"""Classes of the parts of a page with the theme's own words."""
CAST_SIZE = (90, 28)
CAST_SEED = b"16"


def site_path(source: str) -> str:
    """Return the place on the site of a file of the repository; empty for one that is not there."""
    if source in TOP:
        return TOP[source]
    path = source.removeprefix("docs/")
    return "" if path == source else re.sub(r"(^|/)README\.md$", r"\1index.md", path)


def with_site_links(text: str, source: str) -> str:
    """Return a page with links as they lead on the site; a link to a file that is not there becomes code."""

    def link(match: re.Match[str]) -> str:
        words, target, anchor = match["words"], match["target"], match["anchor"] or ""
        if re.match(r"\w+:", target) or not target:
            return match[0]
        target_path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        page = f"{target_path}/README.md" if (ROOT / target_path).is_dir() else target_path
        if not (path := site_path(page)) or not ((ROOT / page).exists() or target_path in LISTS):
            return words if words.startswith("`") or match["image"] else f"{words} (`{target_path}`)"
        relative_path = os.path.relpath(path, os.path.dirname(site_path(source)) or ".")
        return f"{match['image']}[{words}]({relative_path}{anchor})"

    return re.sub(r"(?P<image>!?)\[(?P<words>[^]]*)\]\((?P<target>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)", link, text)


def page_of(language: str, game: str) -> str:
    """Return the place of the page of a game in a language."""
    return f"games/{game}.md" if language == "en" else f"games/{language}/{game}.md"


def tag_of(language: str) -> str:
    """Return the name of a language in HTML."""
    return language.replace("_", "-")


def in_language(html: str, language: str) -> str:
    """Return a page with the language of its text in its attributes `lang`; the theme's own words stay English."""
    html = html.replace('<html lang="en"', f'<html lang="{tag_of(language)}"', 1)
    parts = "|".join(ENGLISH_PARTS)
    return re.sub(f'class="({parts})"', r'\g<0> lang="en"', html)


def game_page(variant: Variant, language: str) -> str:
    """Return the page of a game in a language: its picture, its presets, its rules and its house rules."""
    begin_session(language)
    root_path = "../" if language == "en" else "../../"
    title = _(variant.name)
    language_links = " · ".join(
        f"**{name}**"
        if code == language
        else f"[{name}]({os.path.relpath(page_of(code, variant.id), os.path.dirname(page_of(language, variant.id)))})"
        f"{{ lang={tag_of(code)} hreflang={tag_of(code)} }}"
        for code, name in LANGUAGES.items()
    )
    rules = re.sub(r"^# ", "## ", rules_text(variant).partition("\n")[2], flags=re.MULTILINE)
    return "\n\n".join(
        [
            f"---\ntitle: {title}\ndescription: {json.dumps(_(variant.pitch), ensure_ascii=False)}\n---",
            f"# {title}",
            language_links,
            _picture(variant.id, _(variant.pitch), root_path),
            f"*{_(variant.pitch)}*",
            *_preset_table(variant, sort_by_place(presets_of(variant.id))),
            _with_blank_lines(rules),
            _with_blank_lines("#" + house_rules(variant)),
            f"`boneyard play {variant.id}`",
        ]
    )


def _picture(game: str, words: str, root_path: str) -> str:
    gallery = f"{root_path}gallery/{game}"
    return (
        f'<picture><source media="(min-width: 45rem)" srcset="{gallery}-140x45.svg">'
        f'<img class="game" src="{gallery}-80x24.svg" alt="{escape(words)}" loading="lazy"></picture>'
    )


def _preset_table(variant: Variant, presets: list[Preset]) -> Iterator[str]:
    """Yield the table of the presets of a game; nothing for a game without any."""
    if not presets:
        return
    rows = []
    heads = f"| {_('As played in …')} | {_('House rules')} |"
    for preset in presets:
        labels = ", ".join(label_of(variant.id, key, value) for key, value in preset.options.items())
        local = f" ({preset.local})" if preset.local else ""
        rows.append(f"| {_(preset.place)}: {_(preset.name)}{local}, `--as {preset.id}`{{ .whole }} | {labels} |")
    yield "\n".join([heads, "| --- | --- |", *rows])


def _with_blank_lines(text: str) -> str:
    """Return a text with the blank lines that Markdown needs around titles and before lists."""
    text = re.sub(r"^(#.*)$", r"\n\1\n", text, flags=re.MULTILINE)
    text = re.sub(r"^(?!- |  - |#)(.+)\n(?=- )", r"\1\n\n", text, flags=re.MULTILINE)
    return re.sub(r"^  - ", "    - ", text, flags=re.MULTILINE)


def games_page() -> str:
    """Return the list of games with their pictures, under the text of docs/games.md."""
    begin_session("en")
    source = (ROOT / "docs/games.md").read_text("utf-8")
    descriptions = dict(re.findall(r"^\| `([a-z-]+)` \| .+ \| (.+) \|$", source, re.MULTILINE))
    cards = [
        f'<li><a href="{game}/"><img class="game" src="../gallery/{game}-80x24.svg" alt="" loading="lazy">'
        f"<strong>{escape(variant.name)}</strong></a>"
        f"<span>{escape(descriptions[game])}</span></li>"
        for game, variant in GAMES.items()
    ]
    text_below_table = with_site_links(source.rpartition("|\n")[2], "docs/games.md")
    return "\n".join(["# Games", "", '<ul class="games">', *cards, "</ul>", "", text_below_table])


def list_page(folder: str) -> str:
    """Return a list of the pages of a folder by their titles."""
    pages = sorted((ROOT / folder).glob("*.md"))
    items = [f"- [{page.read_text('utf-8').splitlines()[0].removeprefix('# ')}]({page.name})" for page in pages]
    return "\n".join([f"# {LISTS[folder]}", "", *items])


def write_pages(site_folder: Path) -> None:
    """Write all pages, pictures and scripts of the site to an empty folder, and its configuration beside it."""
    for path in (*(ROOT / source for source in TOP), *(ROOT / "docs").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            _copy(path, site_folder / site_path(str(path.relative_to(ROOT))))
    for variant in GAMES.values():
        for language in LANGUAGES:
            _write(site_folder / page_of(language, variant.id), game_page(variant, language))
    _write(site_folder / "games/index.md", games_page())
    for folder in LISTS:
        _write(site_folder / site_path(f"{folder}/README.md"), list_page(folder))
    begin_session("en")
    _write(site_folder / "player.md", (HERE / "player.md").read_text("utf-8"))
    _write(site_folder / "assets/match.cast", "".join(line + "\n" for line in _match_film()))
    player = (PLAYER / "asciinema-player.min.js", PLAYER / "asciinema-player.css")
    for path in (*HERE.glob("*.js"), *HERE.glob("*.css"), *HERE.glob("*.svg"), *player):
        shutil.copyfile(path, site_folder / "assets" / path.name)


def _copy(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".md":
        _write(target, with_site_links(path.read_text("utf-8"), str(path.relative_to(ROOT))))
    else:
        shutil.copyfile(path, target)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _match_film() -> Iterator[str]:
    """Yield the film of a match of All Fives between bots, which is the same in every build."""
    look = Look(load_theme("felt"))
    steps = play_match(new_match(GAMES["all-fives"], 2, {"target": 100}), ("greedy",) * 2, CAST_SEED, SOFTWARE)
    return cast_lines(Playback(Recording(steps)), *CAST_SIZE, look)


def build(site: Path) -> int:
    """Build the site in a folder, which is replaced once all has succeeded; return an exit code."""
    site.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=site.parent, prefix=".site-") as folder:
        work_folder = Path(folder)
        write_pages(work_folder / "pages")
        shutil.copyfile(HERE / "zensical.toml", work_folder / "zensical.toml")
        program = [str(Path(sys.executable).parent / "zensical"), "build", "--strict", "--clean"]
        process = subprocess.run(program, cwd=work_folder, capture_output=True, text=True, check=False)
        if process.returncode:
            sys.stderr.write(process.stdout + process.stderr)
            sys.stderr.write("boneyard: the site was not built; the lines above say why.\n")
            return 1
        for language in LANGUAGES.keys() - {"en"}:
            for path in (work_folder / "site/games" / language).rglob("*.html"):
                _write(path, in_language(path.read_text("utf-8"), language))
        if site.exists():
            site.rename(work_folder / "old")
        (work_folder / "site").rename(site)
    sys.stdout.write(f"{sum(1 for _page in site.rglob('*.html'))} pages are in {site}.\n")
    return 0


def serve(site: Path, port: int) -> int:
    """Build the site and serve it on this machine until Ctrl-C; return an exit code."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        sys.stderr.write(f"boneyard: port {port} cannot be used ({error.strerror}); name another one.\n")
        return 1
    with server:
        if status := build(site):
            return status
        address = f"http://127.0.0.1:{server.server_port}/"
        sys.stdout.write(f"The site is at {address} until Ctrl-C. After a change, build it again: ./scripts/docs\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def main(words: list[str]) -> int:
    """Build the site, and serve it if the first word is `serve`; return an exit code."""
    is_serving = words[:1] == ["serve"]
    if surplus := words[2 if is_serving else 1 :]:
        sys.stderr.write(f"boneyard: “{surplus[0]}” is one word too many; see ./scripts/docs --help.\n")
        return 2
    port = words[1] if len(words) > 1 else "8000"
    if not (port.isascii() and port.isdecimal() and int(port) < 2**16):
        sys.stderr.write(f"boneyard: “{port}” is no port; name a number below {2**16}.\n")
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # otherwise it would leave the unfinished site
    site = ROOT / "dist/site"
    try:
        return serve(site, int(port)) if is_serving else build(site)
    except KeyboardInterrupt:
        sys.stderr.write("boneyard: interrupted; the site is as it was before.\n")
        return 130
    except OSError as error:
        sys.stderr.write(f"boneyard: the site could not be written ({error}).\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
