"""The site: every game in five languages, links that lead somewhere, and nothing from another host."""

import json
import re
import threading
from functools import partial
from html import unescape
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from unittest.mock import Mock
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from core.games import GAMES
from core.presets import presets_of
from scripts.site import build
from tests.real.browsers import DESKTOP, PHONE
from tui.i18n import begin_session
from tui.rulebook import rules_text

AXE = build.ROOT / "scripts/page/tools/node_modules/axe-core/axe.min.js"
KINDS = ["/", "/games/", "/games/mexican-train/", "/games/es/draw/", "/player/", "/protocol/", "/404.html"]
"""Examples of all kinds of pages."""

HEAD = b'{"version": 2, "width": 20, "height": 2}\n'
NOT_FILMS = [
    b"",
    b"{}",
    b"\0\xff",
    HEAD,
    HEAD + b"text",
    HEAD + b'[1, "o"]',
    HEAD.replace(b"20", b"9999") + b'[0, "o", ""]',
]
"""Nothing, no header, no text, no events, no JSON, half an event, a size that a browser cannot draw."""

SETTLED = """() => Promise.all([...document.body.children].flatMap((element) =>
  element.shadowRoot?.getAnimations().map((animation) => animation.finished) ?? []))"""
"""JavaScript that ends with the animations of the search."""

in_browser = pytest.mark.asyncio(loop_scope="module")
pytestmark = pytest.mark.skipif(not AXE.exists(), reason="the player and axe-core come with npm: ./scripts/check")


class Page(HTMLParser):
    """The addresses that a page names, and the anchors that it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.loads = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            if (tag, name) == ("a", "href"):
                self.links.append(value)
            if name in ("src", "srcset", "data-cast") or (tag, name) == ("link", "href"):
                self.loads.append(value)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without printing each request."""

    def log_message(self, *_):
        pass


@pytest.fixture
def in_english():
    """Return to English after the test."""
    yield
    begin_session("en")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of a newly built site."""
    folder = tmp_path_factory.mktemp("site") / "site"
    assert build.build(folder) == 0
    return folder


@pytest.fixture(scope="module")
def address(site):
    """Yield the address at which the site is served."""
    handler = partial(QuietHandler, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


def pages(site):
    return {f"/{path.relative_to(site)}": Page(path.read_text()) for path in site.rglob("*.html")}


def place_of(site, here, link):
    """Return the file to which a link of a page leads, below any path of a host."""
    place = urlsplit(urljoin(f"/{site.name}{here.removesuffix('index.html')}", link)).path
    path = site.parent / unquote(place).lstrip("/")
    return path / "index.html" if path.is_dir() else path


async def violations(tab, *, without=()):
    """Return the findings of axe-core on the page of a tab; `without` names rules that are not applied."""
    await tab.add_script_tag(path=AXE)
    rules = {rule: {"enabled": False} for rule in without}
    report = await tab.evaluate("rules => axe.run({resultTypes: ['violations'], rules})", rules)
    return [(finding["id"], finding["nodes"][0]["html"]) for finding in report["violations"]]


def test_every_link_and_every_picture_of_the_site_leads_to_a_file_of_it(site):
    contents = pages(site)
    broken = []
    for here, page in contents.items():
        for link in page.links + page.loads:
            if urlsplit(link).scheme or here == "/404.html":
                continue
            target = place_of(site, here, link)
            anchor = unquote(urlsplit(link).fragment)
            inside = target.is_relative_to(site)
            known = contents.get(f"/{target.relative_to(site)}") if inside and target.suffix == ".html" else None
            if not inside or not target.is_file() or (anchor and known and anchor not in known.anchors):
                broken.append((here, link))
    assert broken == []


def test_every_page_is_reached_from_the_first_one_by_links(site):
    contents = pages(site)
    reached, waiting = set(), ["/index.html"]
    while waiting:
        here = waiting.pop()
        if here not in reached:
            reached.add(here)
            targets = [place_of(site, here, link) for link in contents[here].links if not urlsplit(link).scheme]
            waiting += [f"/{target.relative_to(site)}" for target in targets if target.suffix == ".html"]
    assert contents.keys() - reached == {"/404.html"}


def test_no_page_loads_anything_from_another_host(site):
    assert [load for page in pages(site).values() for load in page.loads if re.match(r"(?:https?:)?//", load)] == []


def test_only_the_page_of_the_player_loads_the_player(site):
    loading = [here for here, page in pages(site).items() if any("asciinema" in load for load in page.loads)]
    assert loading == ["/player/index.html"]


@pytest.mark.parametrize("language", build.LANGUAGES)
def test_every_game_has_a_page_with_picture_presets_and_rules(site, language, in_english):
    begin_session(language)
    for game in GAMES:
        text = unescape((site / build.page_of(language, game)).with_suffix("").joinpath("index.html").read_text())
        assert f"{game}-80x24.svg" in text
        assert f'<html lang="{build.tag_of(language)}"' in text
        assert all(f"--as {preset.id}" in text for preset in presets_of(game))
        headings = re.findall("^# (.+)$", rules_text(GAMES[game]), re.MULTILINE)[1:]
        assert len(headings) >= 3, game
        assert all(f">{heading}<a" in text for heading in headings), game


def test_links_of_a_page_lead_to_the_same_page_on_the_site():
    text = "[a](../README.md#play) [b](../core/rules.py) ![c](table.gif) [d](rules/) [e](https://example.com)"
    assert build.with_site_links(text, "docs/playing.md") == (
        "[a](index.md#play) b (`core/rules.py`) ![c](table.gif) [d](rules/index.md) [e](https://example.com)"
    )
    assert build.with_site_links("[a](decisions/)", "docs/playing.md") == "[a](decisions/index.md)"
    assert build.with_site_links("[a](packaging)", "docs/playing.md") == "a (`docs/packaging`)"


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
def test_an_interrupted_build_leaves_the_old_site_and_nothing_else(failure, tmp_path, monkeypatch):
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text("old")
    monkeypatch.setattr(build, "write_pages", Mock(side_effect=failure))
    with pytest.raises(failure):
        build.build(tmp_path / "site")
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "index.html"]


def test_a_busy_port_is_refused_before_anything_is_built(address, tmp_path, capsys):
    port = urlsplit(address).port
    assert build.serve(tmp_path / "site", port) == 1
    assert f"port {port} cannot be used" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("words", [["build", "fast"], ["serve", "8000", "fast"]])
def test_a_word_too_many_is_refused_in_a_sentence(words, capsys):
    assert build.main(words) == 2
    assert "“fast” is one word too many" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["serve", "port"], ["serve", "70000"], ["serve", "-1"], ["serve", "٣"]])
def test_an_invalid_port_is_refused_in_a_sentence(words, capsys):
    assert build.main(words) == 2
    assert "is no port" in capsys.readouterr().err


@in_browser
@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("colours", ["light", "dark"])
async def test_pages_of_each_kind_pass_axe_and_load_nothing_from_elsewhere(address, chromium, screen, colours):
    tab = await (await chromium.new_context(**screen, color_scheme=colours)).new_page()
    requested = []
    tab.on("request", lambda request: requested.append(request.url))
    for path in KINDS:
        await tab.goto(address + path)
        assert (path, await violations(tab)) == (path, [])
    assert [url for url in requested if not url.startswith((address, "data:", "blob:"))] == []


@in_browser
async def test_the_player_shows_the_match_that_the_build_has_recorded(address, chromium):
    tab = await chromium.new_page()
    await tab.goto(f"{address}/player/")
    screen = tab.locator("#player .ap-term")
    await screen.get_by_text("All Fives").first.wait_for()
    await tab.locator("#player .ap-overlay-start").click()
    await tab.locator("#player .ap-time-elapsed").get_by_text("00:02").wait_for(state="attached")


@in_browser
@pytest.mark.parametrize(
    "head", [{"version": 2, "width": 20, "height": 2}, {"version": 3, "term": {"cols": 20, "rows": 2}}]
)
async def test_the_player_plays_a_film_that_the_reader_chooses(address, chromium, tmp_path, head):
    tab = await chromium.new_page()
    await tab.goto(f"{address}/player/")
    (own := tmp_path / "own.cast").write_text(f'{json.dumps(head)}\n[0.0, "o", "my own "]\n[0.3, "o", "match"]\n')
    await tab.set_input_files("#film", own)
    await tab.locator("#player .ap-term").get_by_text("my own match").wait_for()
    assert await tab.locator("#film-problem").text_content() == ""


@in_browser
async def test_the_player_says_that_a_file_is_not_a_film(address, chromium, tmp_path):
    tab = await chromium.new_page()
    await tab.goto(f"{address}/player/")
    for number, text in enumerate(NOT_FILMS):
        (file := tmp_path / f"{number}.cast").write_bytes(text)
        await tab.set_input_files("#film", file)
        await tab.get_by_text(f"“{number}.cast” is not a film").wait_for()


@in_browser
@pytest.mark.parametrize(("word", "page"), [("Dominican", "games/partners"), ("Dominikanische", "games/de/partners")])
async def test_the_search_finds_a_game_by_a_word_of_its_page(address, chromium, word, page):
    tab = await chromium.new_page()
    await tab.goto(address)
    field = tab.get_by_role("combobox", name="Search", include_hidden=True)
    await field.wait_for(state="attached")  # a key that comes sooner is lost
    await tab.get_by_role("button", name="Search").first.click()
    await field.fill(word)
    await tab.locator(f"a[href*='{page}']").first.wait_for()
    await tab.evaluate(SETTLED)
    # The theme names a result by its title alone: with its excerpt, a screen reader would read a page for each.
    assert await violations(tab, without=["label-content-name-mismatch"]) == []
