"""Text from strangers is printed as one harmless line on every screen."""

import asyncio
import json
import logging
import re
from functools import cache
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from core.coach.review import Deal, luck_of
from core.records import seal_of, write
from core.words import words
from net.client.client import Client
from net.host.admin import perform
from net.host.presence import Visitor
from net.logs import LineFormatter, fields
from net.players.text import clean, clean_name
from net.wire.messages import Greeting, Said, Tables
from net.wire.messages import Refused as HostRefused
from tests.core.coach.matches import once
from tests.core.test_records import record
from tests.tui.guests import app_host
from tests.tui.strangers import HOSTILE, guest_of_hostile_host, is_harmless, with_hostile_texts
from tests.tui.tables import DARK
from tui.board.canvas import Canvas, Style, cells, columns, fit
from tui.cli.main import boneyard
from tui.draw.replay import draw_replay
from tui.model.playback import ALL, Playback
from tui.records.reader import lines_of
from tui.run.replay import read_recording

GROUND = Style("#ffffff", "#000000")


@with_hostile_texts
def test_no_control_sequence_is_drawn(text):
    canvas = Canvas(40, 1, GROUND)
    canvas.put(2, 0, text, GROUND)
    drawn = "".join(run for run, _ in canvas.rows()[0])

    assert is_harmless(drawn)
    assert columns(drawn) == 40


@with_hostile_texts
def test_a_text_that_was_cut_is_never_too_wide(text):
    for width in (0, 1, 2, 7, 16):
        assert len(cells(fit(text, width))) <= width


@with_hostile_texts
def test_names_and_talk_are_cleaned_on_entry(text):
    assert is_harmless(clean(text, 200))
    assert len(clean(text, 200)) <= 200
    assert len(cells(clean_name(text))) <= 16


@with_hostile_texts
def test_a_line_of_the_log_stays_one_line(text):
    logged = logging.LogRecord("net", logging.INFO, "", 0, "came", (), None)
    logged.__dict__.update(fields(user=text, software=text))

    line = LineFormatter().format(logged)

    assert is_harmless(line)
    assert "\n" not in line


# On a host: the name and the words of a hostile guest, on the screens of the others.


class Mallory:
    """A guest without a screen, who can send any message."""

    def __init__(self, here, number, user):
        ours, _ = here.link(Visitor(user, f"token {number}"))
        self.client = Client(ours, user)
        self.entered = asyncio.Event()
        self.client.subscribe(self._handle)
        self._name = f"{user[:900]}m{number}"
        here.group.create_task(self.client.run())

    def _handle(self, message):
        match message:
            case Greeting():
                self.client.enter(self._name)
            case HostRefused() if not self.client.name:
                self._name = f"mallory {id(self) % 1000}"
                self.client.enter(self._name)
            case Tables():
                self.entered.set()


async def test_a_hostile_guest_is_harmless_on_every_screen_of_the_others(monkeypatch):
    async with app_host() as here, here.guest("ada") as ada, asyncio.timeout(60):
        await ada.press("enter")
        await ada.wait_for("No table is open yet")
        await ada.press("n", "down", "right", "right", "down", "right", "right", "enter")
        await ada.until(lambda: ada.update is not None)
        number = ada.update.table.id
        for first in range(0, len(HOSTILE), 3):
            several = [(Mallory(here, first + at, HOSTILE[first + at]), HOSTILE[first + at]) for at in range(3)]
            for mallory, text in several:
                await mallory.entered.wait()
                mallory.client.watch(number, text)
                mallory.client.watch(number)
            await ada.until(lambda: len(ada.update.watching) == 3)
            for mallory, text in several:
                mallory.client.say(text)
                mallory.client.remove(text)
            for key in ("w", "q", "question_mark", "q"):
                await ada.press(key)
                assert is_harmless(ada.text)
            for command in ("guests", "tables", "status", "bans"):
                assert all(map(is_harmless, perform(here.server, {"do": command})))
            for mallory, _ in several:
                mallory.client.goodbye()
            await ada.until(lambda: not ada.update.watching)
            assert ada.app.is_running
        assert all(map(is_harmless, ada.app._table_screen._story.lines))
        assert len(ada.app._table_screen._story.lines) >= len(HOSTILE) - 4


# At a stranger's host: the screens are ours, and so is the terminal.


@pytest.mark.parametrize("number", range(0, len(HOSTILE), 3))
async def test_a_hostile_host_is_harmless_on_every_screen(number):
    text, other, third = HOSTILE[number : number + 3]
    info = {
        "id": 1,
        "name": text,
        "game": other,
        "options": {third: text},
        "seats": [[other, third, True, False], [text, other, False, False], ["", "", False, False]],
        "watchers": 3,
        "phase": third,
    }
    update = {
        "type": "update",
        "number": 1,
        "table": info,
        "seat": 0,
        "match": None,
        "watching": [text, other, third],
        "code": other,
    }
    listed = {"type": "tables", "tables": [info], "yours": 1, "total": 1, "open": 1}
    async with guest_of_hostile_host() as (host_link, guest):
        host_link.deliver(Greeting(2, text, other, False, {third: {text: other}}))
        await guest.wait_for("What name will you play under?")
        assert is_harmless(guest.text)
        host_link.deliver(*(HostRefused(words("{name}", name=hostile)) for hostile in (text, other, third)))
        host_link.deliver({"type": "entered", "name": third, "resume": other}, listed)
        await guest.wait_for("lobby · 1 table")
        assert is_harmless(guest.text)
        await guest.press("n")
        assert is_harmless(guest.text)
        await guest.press("q")
        host_link.deliver(update, Said(text, 0, other), Said(other, 0, third), Said(third, 0, text))
        host_link.deliver(HostRefused(words("{name}", name=third)))
        await guest.until(lambda: guest.app._table_screen is not None and host_link.is_empty)
        for key in ("w", "q", "question_mark", "q"):
            await guest.press(key)
            assert is_harmless(guest.text)
        host_link.deliver({"type": "left", "reason": {"text": "{a}", "values": {"a": other}}})
        await guest.wait_for("lobby · 1 table")
        assert is_harmless(guest.text)
        host_link.deliver(
            {"type": "bye", "reason": {"text": "{a}{b}{c}", "values": {"a": text, "b": other, "c": third}}}
        )
        await guest.until(lambda: not guest.app.is_running or guest.app._exit)
    assert is_harmless(guest.app.return_value)


async def test_a_host_that_talks_without_end_fills_no_memory():
    async with guest_of_hostile_host() as (host_link, guest):
        host_link.deliver(Greeting(2, "x", "ada", True), {"type": "entered", "name": "ada"}, Tables(()))
        await guest.wait_for("in the lobby")
        seats = [["ada", "", False, False], ["", "", False, False]]
        info = {
            "id": 1,
            "name": "x",
            "game": "draw",
            "options": {},
            "seats": seats,
            "watchers": 0,
            "phase": "waiting",
        }
        host_link.deliver({"type": "update", "number": 1, "table": info, "seat": 0, "match": None})
        host_link.deliver(*[Said("x", 0, f"{number}") for number in range(1000)])
        await guest.until(lambda: host_link.is_empty and guest.app._table_screen is not None)
        assert len(guest.app._table_screen._story.lines) <= 150
        assert len(guest.app._client.said) <= 100


@pytest.mark.parametrize(
    "message",
    [
        {"type": "update", "number": 1, "table": {}, "seat": 0, "match": None},
        {"type": "refused", "reason": {"text": "{a:>999999999}", "values": {"a": 1}}},
        b"\xc1",
        b"\x91" * 2000 + b"\xc0",
    ],
)
async def test_a_host_that_speaks_nonsense_is_left_with_one_sentence(message):
    async with guest_of_hostile_host() as (host_link, guest):
        host_link.deliver(Greeting(2, "x", "ada", True), {"type": "entered", "name": "ada"}, Tables(()))
        await guest.wait_for("in the lobby")
        host_link.deliver(message)
        await guest.until(lambda: guest.app._exit)
    assert guest.app.return_value == "The server sent something that this version does not understand."


# Records: anybody may have made the file.


hostile_names = pytest.mark.parametrize("names", [HOSTILE[at : at + 3] for at in range(0, len(HOSTILE), 3)], ids=len)
played = cache(record)


def written(tmp_path, names, *fields):
    """Write a valid record except for the names and the software in it, and unknown fields."""
    lines = played()
    first = json.loads(lines[0])
    first["seats"] = [seat | {"name": name} for seat, name in zip(first["seats"], names, strict=True)]
    first["software"] = names[-1]
    first |= dict.fromkeys(fields, 1)
    file = tmp_path / "match.jsonl"
    lines = [json.dumps(first, ensure_ascii=False), *lines[1:-1]]
    file.write_text("\n".join([*lines, write(seal_of(lines))]), encoding="utf-8")
    return file


@hostile_names
def test_a_record_with_hostile_names_is_verified_in_plain_words(tmp_path, names):
    done = CliRunner().invoke(boneyard, ["verify", str(written(tmp_path, names))])

    assert done.exit_code == 0
    assert is_harmless(done.output)


@hostile_names
def test_an_invalid_record_is_reported_in_plain_words(tmp_path, names):
    done = CliRunner().invoke(boneyard, ["verify", str(written(tmp_path, names, *names))])

    assert done.exit_code == 1
    assert is_harmless(done.output)
    assert "Traceback" not in done.output


luck_once = once(luck_of)


def luck_alone(part):
    """Return the findings for a part; the seed of a deal follows from the names."""
    return luck_once(replace(part, seed=b"any")) if isinstance(part, Deal) else None


@hostile_names
def test_a_review_shows_hostile_names_as_print(tmp_path, names, monkeypatch):
    monkeypatch.setattr("net.host.reviewing.compute_part", luck_alone)
    for options in ([], ["--json"]):
        done = CliRunner().invoke(boneyard, ["review", str(written(tmp_path, names)), "--jobs", "1", *options])

        assert done.exit_code == 0
        assert is_harmless(done.output)


@hostile_names
def test_a_replay_shows_hostile_names_as_print(tmp_path, names):
    recording = read_recording(lines_of(written(tmp_path, names)))
    assert recording.problem == ""
    playback = Playback(recording, open_hand=ALL)
    for moment in (playback, playback.step(1), playback.round(1), playback.go(len(recording.frames))):
        for size in ((80, 24), (140, 45)):
            assert is_harmless(str(draw_replay(moment, *size, DARK)))


@hostile_names
@pytest.mark.parametrize("kind", ["cast", "svg", "txt"])
def test_an_export_has_hostile_names_as_print(tmp_path, names, kind):
    out = tmp_path / "out"
    done = CliRunner().invoke(boneyard, ["export", str(written(tmp_path, names)), "--as", kind, "-o", str(out)])
    made = out.read_text("utf-8")

    assert done.exit_code == 0
    if kind == "svg":
        ElementTree.fromstring(made)
    if kind == "cast":  # the film's own control sequences: colours and places
        text = "".join(json.loads(line)[2] for line in made.splitlines()[1:])
        made = re.sub(r"\x1b\[([\d;]*[mHJC]|\?25[lh])", "", text)
    assert is_harmless(made)


@hostile_names
def test_a_replay_in_sentences_has_hostile_names_as_print(tmp_path, names, monkeypatch):
    lines = iter(["all", "leave"])
    monkeypatch.setattr("tui.run.replay.next_line", lambda: next(lines))
    done = CliRunner().invoke(boneyard, ["replay", "--plain", str(written(tmp_path, names))])

    assert done.exit_code == 0
    assert is_harmless(done.output)
