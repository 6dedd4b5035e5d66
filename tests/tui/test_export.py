"""Exports: a film that asciinema can play, a picture, and the whole match as text."""

import json
import os
from functools import cache
from itertools import cycle
from xml.etree import ElementTree

import pyte
import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from tests.tui.tables import DARK, PLAIN
from tests.tui.test_cli import refused, run
from tui.board.canvas import Canvas, Picture, Style
from tui.draw.replay import draw_replay
from tui.draw.svg import svg_of
from tui.model.playback import ALL, Playback, Recording
from tui.records.export import cast_lines, replay_lines

SVG = "{http://www.w3.org/2000/svg}"


@cache
def playback(game="draw", players=2):
    match = new_match(GAMES[game], players, {"target": 50} if game == "draw" else {})
    return Playback(Recording(play_match(match, ("greedy",) * players, b"1", "test")), open_hand=ALL)


@pytest.fixture
def record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("sim", "draw", "--seed", "1", "--rule", "target=50", "--record", "match.jsonl")
    return tmp_path / "match.jsonl"


def watched(lines, width, height):
    """Play a film as the format describes it; return the time of each event, and the screen after it."""
    header, *events = map(json.loads, lines)
    assert (header["version"], header["width"], header["height"]) == (2, width, height)
    screen = pyte.Screen(width, height)
    stream = pyte.Stream(screen)
    times, screens = [], []
    for seconds, kind, text in events:
        assert kind == "o"
        stream.feed(text)
        times.append(seconds)
        screens.append("\n".join(line.rstrip() for line in screen.display))
    return times, screens


@pytest.mark.parametrize(("width", "height"), [(80, 24), (140, 45)])
def test_a_film_shows_the_frames_of_the_replay_one_after_the_other(width, height):
    film = playback()
    times, screens = watched(cast_lines(film, width, height, PLAIN), width, height)
    frames = len(film.recording.frames)

    assert len(screens) == frames + 1
    assert times[0] == 0
    assert times == sorted(times)
    assert screens[-1] == screens[-2] == str(draw_replay(film.go(frames), width, height, PLAIN)).rstrip()
    for at in (0, 7, frames // 2):
        text = screens[at].splitlines()
        assert f"step {at + 1}/{frames}" in text[-1]
        assert text[0] == str(draw_replay(film.go(at), width, height, PLAIN)).splitlines()[0]


def test_twice_the_speed_is_half_as_long():
    usual, quick = (watched(cast_lines(playback().change_speed(by), 80, 24, PLAIN), 80, 24)[0][-1] for by in (0, 1))

    assert quick == pytest.approx(usual / 2, abs=0.01)


def test_a_picture_has_every_word_and_a_shape_for_every_pip():
    canvas = Canvas(12, 1, Style("#ffffff", "#000000"))
    canvas.put(0, 0, "  a<b  ●●", Style("#ff0000", "#000000", bold=True))
    root = ElementTree.fromstring(svg_of(type(draw_replay(playback(), 80, 24, DARK))(canvas.rows()), "A & B"))
    (word,) = root.iter(f"{SVG}text")
    dots = [path for path in root.iter(f"{SVG}path") if path.get("fill") == "#ff0000"]

    assert root.get("viewBox") == "0 0 120 20"
    assert root.find(f"{SVG}title").text == "A & B"
    assert (word.text, word.get("x"), word.get("textLength")) == ("a<b", "20", "30")
    assert [path.get("d").count("z") for path in dots] == [2]


@pytest.mark.parametrize(("game", "size"), zip(GAMES, cycle([(80, 24), (140, 45)])))
def test_a_picture_of_every_game_is_small_and_well_formed(game, size):
    played = playback(game, GAMES[game].seats[1])
    picture = draw_replay(played.go(25), *size, DARK)
    text = svg_of(picture, game)
    words = "".join(word.text for word in ElementTree.fromstring(text).iter(f"{SVG}text"))

    assert len(text) < 150_000
    assert "BONEYARD" in words
    assert "greedy" in words


@pytest.mark.parametrize(("game", "look"), zip(GAMES, cycle([DARK, PLAIN])))
def test_a_text_tells_every_round_and_draws_its_board_once(game, look):
    played = playback(game, GAMES[game].seats[1])
    lines = list(replay_lines(played, look))
    rounds = played.recording.round_count(played.frame)

    assert sum(line.startswith("Round ") and line.endswith(" is dealt.") for line in lines) >= rounds
    assert sum(line.startswith("Score of greedy 1") for line in lines) >= rounds - 1
    assert all(len(line) <= 80 for line in lines)
    assert any(("[" if look.ascii else "▐") in line for line in lines)
    if look.ascii:
        assert all(line.isascii() for line in lines)


@pytest.mark.parametrize("kind", ["cast", "svg", "txt"])
def test_an_export_overwrites_a_file_only_with_force(record, kind):
    assert run("export", str(record), "--as", kind).stdout == f"Written to match.{kind}.\n"
    made = (record.parent / f"match.{kind}").read_text()

    assert f"match.{kind} is there already" in refused("export", str(record), "--as", kind, code=1)
    assert (record.parent / f"match.{kind}").read_text() == made
    assert run("export", str(record), "--as", kind, "--force", "--ascii").exit_code == 0
    assert (record.parent / f"match.{kind}").read_text() != made
    assert run("export", str(record), "--as", kind, "-o", "-").stdout == made
    assert {path.name for path in record.parent.iterdir()} == {"match.jsonl", f"match.{kind}"}


def svg_export(record, *options, at=5):
    return run("export", str(record), "--as", "svg", "--at", str(at), "-o", "-", *options).stdout


def test_the_visible_hand_of_a_picture_can_be_chosen(record):
    assert all(f">{word}</text>" in svg_export(record, "--all-hands") for word in ("all", "hands"))
    assert ">nobody" in svg_export(record, "--no-hands")
    assert svg_export(record, "--seat", "Greedy 2") != svg_export(record, "--seat", "greedy 1")
    assert svg_export(record, "--seat", "greedy 1") != svg_export(record)


def test_the_step_of_a_picture_can_be_chosen(record):
    assert ">5/" in svg_export(record)
    assert ">6/" in svg_export(record, at=6)


def test_the_size_of_a_picture_can_be_chosen(record):
    assert 'viewBox="0 0 1000 600"' in svg_export(record, "--size", "100x30")


def test_the_colours_of_a_picture_can_be_chosen(record):
    felt = "#14532d"

    assert felt in svg_export(record)
    assert felt not in svg_export(record, "--theme", "light")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--as", "svg", "--speed", "2"), "--speed is only for --as cast."),
        (("--as", "cast", "--at", "2"), "--at is only for --as svg."),
        (("--as", "txt", "--size", "100x30"), "--size is only for --as cast, svg."),
        (("--as", "svg", "--size", "79x24"), "from 80x24 to 300x100, not “79x24”"),
        (("--as", "svg", "--size", "big"), "COLUMNSxROWS"),
        (("--as", "svg", "--at", "9999"), "choose one with --at 1 to"),
        (("--as", "svg", "--seat", "ann"), "choose one of: greedy 1, greedy 2."),
        (("--as", "svg", "--seat", "greedy 1", "--no-hands"), "Choose one of"),
        (("--as", "svg", "--theme", "pink"), "is not a theme"),
    ],
)
def test_invalid_arguments_are_refused_with_the_reason(record, arguments, sentence):
    assert sentence in refused("export", str(record), *arguments)


def test_a_file_that_is_no_record_is_refused(tmp_path):
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")

    assert "not UTF-8" in refused("export", str(tmp_path / "noise"), "--as", "txt", code=1)
    assert "cannot be read" in refused("export", str(tmp_path / "none"), "--as", "txt", code=1)


def test_a_place_that_cannot_be_written_is_refused(record, tmp_path):
    assert "cannot be written" in refused("export", str(record), "--as", "txt", "-o", "no/where.txt", code=1)
    for place in (os.devnull, str(tmp_path)):
        refusal = refused("export", str(record), "--as", "txt", "--force", "-o", place, code=1)
        assert f"{place} cannot be written: it is not a file." in refusal


def test_the_valid_part_of_a_broken_record_is_exported(record):
    record.write_text("\n".join(record.read_text().splitlines()[:20]))
    result = run("export", str(record), "--as", "txt")

    assert result.exit_code == 1
    assert "goes no further: line 21" in result.stderr
    assert "The record ends here: line 21" in (record.parent / "match.txt").read_text()


def test_a_background_never_covers_earlier_foregrounds():
    """Colours are drawn one after the other, so a tile's edge must not come before the background of a later row."""
    canvas = Canvas(2, 2, Style("#ffffff", "#000000"))
    canvas.put(0, 0, "█", Style("#aaaaaa", "#000000"))
    canvas.put(0, 1, " ", Style("#ffffff", "#bbbbbb"))
    canvas.put(1, 1, "▐", Style("#aaaaaa", "#bbbbbb"))
    drawn = svg_of(Picture(canvas.rows()), "a picture")

    assert drawn.index('fill="#bbbbbb"') < drawn.index('fill="#aaaaaa"')
