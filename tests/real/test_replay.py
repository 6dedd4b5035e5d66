"""Replays in a real terminal: they play by themselves, and an export equals the screen."""

import json

import pytest


@pytest.fixture
async def record(programs, tmp_path):
    file = tmp_path / "match.jsonl"
    status, _out, err = await programs.run("sim", "draw", "--seed", "3", "--rule", "target=50", "--record", file)
    assert (status, err) == (0, "")
    return file


async def test_a_replay_is_retold_in_a_pipe_and_in_a_dumb_terminal(programs, record):
    player = programs.start("replay", "--plain", record, TERM="dumb")
    await player.wait_for(lambda player: b"Press Enter for the next move" in player.raw)
    player.type("\nall\nleave\n")

    assert await player.wait_for_exit() == 0
    assert b"wins the match." in player.raw
    assert b"\x1b" not in player.raw


async def test_an_export_is_an_asciinema_film_and_overwrites_no_file(programs, record, tmp_path):
    film = tmp_path / "match.cast"
    status, out, err = await programs.run("export", record, "--as", "cast", "-o", film)
    assert (status, err) == (0, "")
    header, *events = map(json.loads, film.read_text().splitlines())
    assert (header["version"], header["width"], header["height"]) == (2, 80, 24)
    assert all(kind == "o" for _seconds, kind, _text in events)

    status, out, err = await programs.run("export", record, "--as", "cast", "-o", film)
    assert (status, out) == (1, "")
    assert "is there already" in err
