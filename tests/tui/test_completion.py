"""Completion: the candidates for a shell, and the script that asks for them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

from core.games import GAMES
from core.presets import PRESETS
from tests.tui.test_cli import run
from themes import theme_names
from tui.cli.arguments import VARIABLE
from tui.cli.main import boneyard

ROOT = Path(__file__).parents[2]


def offered(*typed):
    """Return the completions of the last word of a command line, which is already begun."""
    bash = get_completion_class("bash")(boneyard, {}, "boneyard", VARIABLE)
    return [item.value for item in bash.get_completions(list(typed[:-1]), typed[-1])]


def test_every_command_is_completed():
    assert offered("") == sorted(boneyard.commands)
    assert offered("re") == ["replay", "review"]


@pytest.mark.parametrize("command", ["play", "learn", "games", "rules", "sim", "continue"])
def test_games_and_presets_are_completed(command):
    assert offered(command, "") == [*GAMES, *PRESETS]
    assert offered(command, "four") == ["four-rounds"]


def test_levels_are_completed_one_after_the_other():
    assert offered("play", "--bots", "e") == ["easy"]
    assert offered("play", "--bots", "easy,n") == ["easy,normal"]
    assert "greedy" not in offered("play", "--bots", "")
    assert "greedy" in offered("sim", "draw", "--bots", "")


def test_themes_are_completed():
    assert set(theme_names()) <= set(offered("--theme", ""))
    assert offered("replay", "--theme", "okabe") == ["okabe-ito"]


def test_house_rules_are_completed_for_the_game_that_was_typed():
    assert "af.spinner=" in offered("play", "all-fives", "--rule", "af.")
    assert "draw.reserve=2" in offered("play", "draw", "--rule", "draw.reserve=")
    assert offered("play", "chess", "--rule", "") == []


def test_export_formats_are_completed():
    assert offered("export", "match.jsonl", "--as", "") == ["cast", "svg", "txt"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_that_asks_boneyard(shell):
    result = run("completion", shell)

    assert result.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_understands_its_script(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_text(run("completion", shell).stdout)

    assert subprocess.run([shell, "-n", script], check=False, capture_output=True).stderr == b""


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_a_typed_word(tmp_path):
    command = tmp_path / "boneyard"
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m tui "$@"\n')
    command.chmod(0o755)
    words = 'COMP_WORDS=(boneyard play mex); COMP_CWORD=2; _boneyard_completion boneyard; echo "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", f'PATH={tmp_path}:$PATH; eval "$(boneyard completion bash)"; {words}'],
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stdout == "mexican-train mexican\n"


def test_an_unknown_shell_is_refused_with_the_known_ones():
    refused = run("completion", "csh")

    assert refused.exit_code == 2
    assert "'bash', 'zsh', 'fish'" in refused.stderr
