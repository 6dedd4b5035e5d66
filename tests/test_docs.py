"""The pages agree with the code."""

import ast
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import msgspec
import pytest
import yaml

from core.actions import Action, Event
from core.fair import FairDeal, Share
from core.games import GAMES
from core.layout.state import End, LayoutView, PlacedTile
from core.match import MatchView
from core.presets import PRESETS
from core.records import Line
from core.tricks.state import Call, Trick, TrickView
from net.host.access import DenialReason
from net.host.metrics import publish_metrics
from net.wire.messages import Proposal, SeatInfo, TableInfo, Times, ToClient, ToHost, Update
from scripts.gallery import SAMPLE
from tests import protocol_page
from tests.protocol_page import REQUIRED
from tui.cli.main import boneyard
from tui.model.keys import TABLE

ROOT = Path(__file__).parent.parent


def page(name):
    return (ROOT / name).read_text()


def declared(kind):
    """Return the fields of a message in the code, each with its default as it would be sent."""
    defaults = {}
    for field in msgspec.structs.fields(kind):
        made = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
        defaults[field.name] = (
            REQUIRED if made is msgspec.NODEFAULT else msgspec.json.decode(msgspec.json.encode(made))
        )
    return defaults


@pytest.mark.parametrize(("title", "kinds"), [("client", ToHost), ("host", ToClient)])
def test_the_protocol_page_has_exactly_the_messages_with_all_fields_and_defaults(title, kinds):
    wanted = {kind.__struct_config__.tag: declared(kind) for kind in get_args(kinds)}

    assert protocol_page.messages(title) == wanted


def test_the_protocol_page_has_the_fields_of_a_table_and_the_order_of_arrays():
    assert protocol_page.fields("A **table** is") == declared(TableInfo)
    assert set(protocol_page.fields("gets an `update` for every change")) == set(declared(Update))
    for kind in (SeatInfo, Times, Share, Proposal):
        assert kind.__struct_config__.array_like
        assert kind.__struct_fields__ in protocol_page.arrays()
    assert re.search(
        rf"\| `fair` \| {{{', '.join(f'`{name}`.*' for name in FairDeal.__struct_fields__)}}}", protocol_page.PAGE
    )


def test_the_clients_messages_in_the_protocol_pages_example_are_valid():
    assert protocol_page.evening()
    for message in protocol_page.evening():
        msgspec.convert(message, ToHost)


@pytest.mark.parametrize("message", [*get_args(Event), *get_args(Action)])
def test_the_protocol_page_has_every_event_and_action_with_its_fields(message):
    text = page("docs/protocol.md")

    assert re.search(rf"[`\"]{message.__struct_config__.tag}[`\"]", text)
    for field in message.__struct_fields__:
        assert re.search(rf"`{field}`|\b{field}\b", text), field


@pytest.mark.parametrize("kind", [MatchView, LayoutView, TrickView, Call, Trick, PlacedTile, End])
def test_the_protocol_page_has_every_field_of_a_view(kind):
    text = page("docs/protocol.md")

    for field in kind.__struct_fields__:
        assert re.search(rf"\b{field}\b", text), field


@pytest.mark.parametrize("line", get_args(Line))
def test_the_page_on_records_has_every_line_with_its_fields(line):
    text = page("docs/records.md")

    assert f"### `{line.__struct_config__.tag}`" in text
    assert all(f'"{field}":' in text for field in line.__struct_fields__)


def limits():
    """Return every limit of the host: its name, its value with a unit, and its reason, as in the code."""
    body = ast.parse(page("net/limits.py")).body
    (doors,) = [node for node in body if isinstance(node, ast.ClassDef)]
    for statements in (doors.body[1:], body[body.index(doors) + 1 :]):
        for what, why in pairwise(statements):
            if isinstance(what, ast.Assign | ast.AnnAssign):
                target = what.target if isinstance(what, ast.AnnAssign) else what.targets[0]
                unit = what.annotation.id if isinstance(what, ast.AnnAssign) else ""
                value = eval(compile(ast.Expression(what.value), "limits", "eval"))
                yield target.id, with_unit(value, unit), " ".join(why.value.value.split())


def with_unit(value, unit):
    scales = {
        "Seconds": [(3600, "h"), (60, "min"), (1, "s")],
        "Bytes": [(1024 * 1024, "MiB"), (1024, "KiB"), (1, "B")],
        "PerSecond": [(1, "a second")],
    }
    if unit == "Share":
        return f"{value * 100:g} %"
    for scale, word in scales.get(unit, []):
        if value >= scale and value % scale == 0 and (value, word) != (60, "min"):
            return f"{value // scale:g} {word}"
    return f"{value:g} s" if unit == "Seconds" else f"{value:,}"


def test_the_page_on_limits_has_every_limit_with_its_value_and_its_reason():
    wanted = [f"| `{name}` | {value} | {reason} |" for name, value, reason in limits()]
    table = [row for row in page("docs/limits.md").splitlines() if re.match(r"\| `\w+` \| [\d,.]+( [\w%]+)* \|", row)]

    assert table == wanted, "the rows that docs/limits.md must have:\n" + "\n".join(wanted)


def test_the_page_on_hosting_has_every_option_of_host():
    text = page("docs/hosting.md")

    for option in boneyard.commands["host"].params:
        assert any(f"`{name}" in text for name in (*option.opts, *option.secondary_opts)) or option.name in (
            "theme",
            "calm",
            "ascii",
        ), option.name


def test_the_page_on_hosting_has_every_metric():
    text = page("docs/hosting.md")
    with publish_metrics(0) as metrics:
        families = [family.name for family in metrics.registry.collect()]

    assert all(f"`{name}" in text for name in families if name.startswith("boneyard_"))


def test_the_page_on_hosting_has_every_reason_of_a_denial():
    assert all(f"`{reason}`" in page("docs/hosting.md") for reason in DenialReason)


def test_the_readme_has_every_command_and_the_numbers_of_games_and_presets():
    text = page("README.md")

    assert all(f"boneyard {command}" in text for command in boneyard.commands)
    assert (len(GAMES), len(PRESETS)) == (29, 34), "correct the numbers in README.md and docs/games.md, then here"
    assert len({preset.place for preset in PRESETS.values()}) == 6 + 11


def test_the_page_of_games_has_every_game_and_every_place_where_they_are_played():
    text = page("docs/games.md")

    assert set(re.findall(r"^\| `([a-z-]+)` \| \[", text, re.M)) == set(GAMES), "correct the table in docs/games.md"
    missing = [preset.place for preset in PRESETS.values() if preset.place not in text]
    assert missing == [], "add them to the places in docs/games.md"


def test_the_film_of_the_readme_is_small():
    (film,) = re.findall(r"\]\((\S+\.gif)\)", page("README.md"))
    assert (ROOT / film).stat().st_size <= 500_000, "`./scripts/gallery readme` draws it"


def test_contributing_has_every_verb():
    verbs = {path.name for path in (ROOT / "scripts").iterdir() if path.is_file() and "." not in path.name}

    assert {verb for verb in verbs if f"./scripts/{verb}" not in page("CONTRIBUTING.md")} == set()


def test_the_page_on_playing_has_every_key_of_the_table():
    text = page("docs/playing.md")

    for key in TABLE:
        assert key.label in text or key.label_on(ascii=True) in text, key


@pytest.mark.parametrize("form", sorted((ROOT / ".github/ISSUE_TEMPLATE").iterdir()), ids=lambda form: form.stem)
def test_a_form_for_issues_has_the_fields_that_a_forge_requires(form):
    read = yaml.safe_load(form.read_text())
    assert {"name", "description", "labels", "body"} == set(read)
    assert len({field["id"] for field in read["body"]}) == len(read["body"])
    assert all(field["attributes"]["label"] for field in read["body"])


def test_the_page_for_a_first_change_has_at_most_600_words():
    assert len(page("docs/first-change.md").split()) <= 600


def test_every_link_between_the_pages_leads_somewhere():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    for path in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def anchors(path):
    """Return the anchors of a page, as forges make them from its headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL), re.MULTILINE)
    titles = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def test_every_link_to_a_heading_leads_to_one():
    links = 0
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)]+)\)", path.read_text()):
            assert anchor in anchors(path.parent / target if target else path), f"{path.name}: {target}#{anchor}"
            links += 1
    assert links > 50


def test_the_changelog_has_no_entry_twice():
    entries = re.split(r"\n(?=- |#)", page("CHANGELOG.md"))

    assert len(entries) > 200
    assert len({entry.strip() for entry in entries}) == len(entries)


def test_the_catalogue_has_every_sentence_for_players(tmp_path):
    fresh = tmp_path / "fresh.pot"
    subprocess.run([ROOT / "scripts" / "words", fresh], check=True, timeout=60)

    assert fresh.read_text() == page("tui/locale/boneyard.pot"), "run ./scripts/words"


def test_the_manual_page_agrees_with_the_commands(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from scripts.manual import manual  # noqa: PLC0415 - found beside the tests

    assert manual() == page("docs/boneyard.1"), "run ./scripts/manual"


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_the_manual_page_is_understood_by_man():
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", ROOT / "docs" / "boneyard.1"], check=True, capture_output=True, timeout=60
    )

    assert done.stderr == b""


def test_the_gallery_script_draws_a_game_of_each_family():
    family = {game.id: type(game.rules(game.seats[1], {})[1]) for game in GAMES.values()}

    assert {family[game] for game in SAMPLE} == set(family.values()), "add a game to SAMPLE in scripts/gallery.py"


@pytest.mark.parametrize("size", ["80x24", "140x45"])
def test_the_gallery_shows_every_game_in_small_files(size):
    pictures = re.findall(r"\]\((.+?)\)", page("docs/gallery/README.md"))

    missing = {f"{game}-{size}.svg" for game in GAMES} - set(pictures)

    assert not missing, "run ./scripts/gallery with the ids of the games"
    assert {"plain.svg", "replay.svg"} <= set(pictures)
    for file in (ROOT / "docs" / "gallery").glob("*.svg"):
        assert file.name in pictures
        assert file.stat().st_size <= 150_000
        ElementTree.parse(file)
