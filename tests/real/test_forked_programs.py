"""Forked programs behave like programs that start from nothing."""

import os
import signal

import pytest

from tests.forked import can_fork

FROM_NOTHING = {"PYTHONHASHSEED": "random"}
"""A variable without effect here, which Python reads at its start."""


@pytest.mark.parametrize("words", [["--version"], ["games", "--json"], ["rules", "nosuch"], ["continue", "--list"]])
async def test_output_and_exit_status_are_the_same(programs, words):
    assert can_fork([*programs.command, *words], programs.env)
    assert not can_fork([*programs.command, *words], programs.env | FROM_NOTHING)
    assert await programs.run(*words) == await programs.run(*words, **FROM_NOTHING)


@pytest.mark.parametrize("early", [{}, FROM_NOTHING], ids=["forked", "from nothing"])
async def test_a_program_in_a_terminal_leads_its_session_and_dies_of_a_signal(programs, early):
    player = programs.start("play", "draw", "--seed", "7", **early)
    await player.wait_for("your turn")
    assert os.getsid(player.pid) == os.getpgid(player.pid) == os.tcgetpgrp(player.terminal) == player.pid
    os.kill(player.pid, signal.SIGTERM)
    assert await player.wait_for_exit() == -signal.SIGTERM
