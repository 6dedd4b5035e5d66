"""`boneyard play` as a player uses it: in a terminal, with real keys, to the end of the match."""

import os
import shlex
import shutil
import signal
import subprocess
import sys

import pytest

from tests.real.programs import effect_of_enter, is_restored, play_out
from tests.real.recorded import proofs_of_record
from tui.draw.window_layout import divide_rows

HAND = slice(-2 - divide_rows(24).hand, -1)
"""Rows of an 80x24 screen with the hand and the sentence; the table may move a little after a change."""


async def test_a_match_alone_is_played_with_the_keys_to_its_end_and_its_record_is_right(programs, tmp_path):
    record = tmp_path / "match.jsonl"
    player = programs.start("play", "draw", "--seed", "7", "--fast", "--record", record, size=(50, 18))
    turns = []

    def choose(now):
        turns.append(now.text)
        if "at a, on the" in now.text or "at b, on the" in now.text:
            return b"\x1b[B\r"  # the other end
        return [b"\r", b"\x1b[C\x1b[D\r"][len(turns) % 2]  # away from the tile and back to it

    await play_out(player, choose=choose)

    assert len(turns) > 20
    assert "Enter: how the match went, and what comes next." in player.text
    player.type("q")
    assert await player.wait_for_exit() == 0
    assert is_restored(player)
    status, out, err = await programs.run("verify", record)
    assert (status, err) == (0, "")
    assert "1 match," in out


async def test_a_window_may_change_its_size_in_mid_game_without_loss(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast")
    turns = []
    await play_out(player, until=lambda player: turns.append(player) or len(turns) > 3)
    before = player.rows[HAND]

    player.resize(140, 45)
    await player.wait_for(lambda player: len(player.rows) == 45 and effect_of_enter(player.rows))
    large = player.text
    player.resize(49, 17)
    await player.wait_for("Boneyard needs 50×18.")
    assert "This window is 49×17." in player.text
    player.resize(80, 24)
    await player.wait_for(lambda player: player.rows[HAND] == before)
    player.resize(140, 45)
    await player.wait_for(large)

    player.type("\x03")
    await player.wait_for("Leave? The match is kept.")
    player.type("q")
    assert await player.wait_for_exit() == 0
    assert is_restored(player)


async def test_no_byte_and_no_sequence_ends_a_game(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast")
    await player.wait_for(lambda player: effect_of_enter(player.rows) == "play")

    for odd in (b"\xff", b"\xe4\xf6", b"\x1b[99999999999u", b"\x1b[27;5;99999999~"):
        player.type(odd)
        player.type("y")
        await player.wait_for("okabe-ito")
        player.type("\x1b")
        await player.wait_for(lambda player: effect_of_enter(player.rows) == "play")

    player.type("\x03")
    await player.wait_for("Leave? The match is kept.")
    player.type("q")
    assert await player.wait_for_exit() == 0


async def test_a_game_that_is_ended_from_outside_gives_the_terminal_back(programs, tmp_path):
    record = tmp_path / "match.jsonl"
    player = programs.start("play", "draw", "--seed", "7", "--fast", "--record", record)
    await player.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    player.type("\r")
    await player.wait_for("Blanche plays")
    os.kill(player.pid, signal.SIGTERM)
    assert await player.wait_for_exit() == -signal.SIGTERM
    assert is_restored(player)
    assert player.last_words == []
    assert len(record.read_text().splitlines()) == 4  # the match, the deal, and an action of each


class Tmux:
    """A separate tmux server with one window, read through `capture-pane`."""

    def __init__(self, programs, folder, command):
        self._line = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        # one line for the status of tmux
        self._player = programs.start("new-session", *command, command=self._line, size=(80, 25))

    @property
    def rows(self):
        captured = subprocess.run([*self._line, "capture-pane", "-p"], capture_output=True, text=True, check=False)
        return [row.ljust(80) for row in (captured.stdout.splitlines() + [""] * 24)[:24]]

    async def wait_for(self, check):
        """Wait until a function of the pane's rows is true, and return the rows."""
        rows = []

        def look(_):
            rows[:] = self.rows
            return check(rows)

        await self._player.wait_for(look)
        return rows

    def type(self, *keys):
        subprocess.run([*self._line, "send-keys", *keys], check=True)

    async def wait_for_exit(self):
        return await self._player.wait_for_exit()

    def close(self):
        subprocess.run([*self._line, "kill-server"], capture_output=True, check=False)


async def test_a_match_is_played_within_tmux(programs, tmp_path):
    assert shutil.which("tmux"), "This test drives tmux; install it (apt install tmux)."
    record = tmp_path / "match.jsonl"
    words = [sys.executable, "-m", "tui", "play", "block", "--seed", "5", "--fast", "--rule", "target=50"]
    tmux = Tmux(
        programs,
        tmp_path,
        ["sh", "-c", shlex.join([*words, "--record", str(record)]) + "; echo left with $?; exec cat"],
    )
    try:
        # This tmux has no synchronized output, so a screen may be half painted, from the top. Therefore the rows
        # under the board identify the answered screen: by then the board above them is the new one.
        answered = None
        while True:
            rows = await tmux.wait_for(lambda rows, last=answered: effect_of_enter(rows) and rows[16:] != last)
            if any("wins the match." in row or "win the match!" in row for row in rows):
                break
            answered = rows[16:]
            tmux.type("Enter")
        await tmux.wait_for(lambda rows: effect_of_enter(rows) == "over")
        tmux.type("q")
        rows = await tmux.wait_for(lambda rows: rows[0].startswith("left with 0"))
        assert not any(row.strip() for row in rows[1:])
        tmux.type("C-d")
        assert await tmux.wait_for_exit() == 0
    finally:
        tmux.close()
    assert proofs_of_record(record).matches == 1


async def test_a_terminal_that_shows_no_screen_is_refused_in_a_sentence(programs):
    player = programs.start(TERM="dumb")

    assert await player.wait_for_exit() == 1
    assert b"this one (TERM=dumb) is not. Use --plain instead." in player.raw
    assert b"\x1b[?1049h" not in player.raw


async def test_a_locale_that_is_not_utf8_gets_ascii(programs):
    player = programs.start("play", "draw", "--seed", "7", "--fast", LC_ALL="C")
    await player.wait_for("Enter: lead")

    assert player.raw.isascii()
    player.type("qq")
    assert await player.wait_for_exit() == 0


@pytest.mark.parametrize(("name", "felt"), [("xterm-256color", b"48;5;22"), ("linux", b"40")])
async def test_a_terminal_with_few_colours_gets_the_palette_chosen_for_it(programs, name, felt):
    player = programs.start("play", "draw", "--seed", "7", "--fast", TERM=name)
    await player.wait_for("Enter: lead")

    assert felt + b"m" in player.raw
    player.type("qq")
    assert await player.wait_for_exit() == 0
