"""`boneyard doctor`: what a terminal answers, and the report."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from wcwidth import wcwidth

from net.hosting.machine import BROKEN, OK, POOR
from tui.cli import doctor, packages
from tui.cli.doctor import SIGNS, check_answers, check_extras

ROOT = Path(__file__).parents[2]
FENCE = b"\x1b[?62;4c"


def answering(columns=(), modes=b"", colours=b"", fence=FENCE):
    """Return a function that answers like a terminal; `columns` are those of the cursor after each sign."""

    def ask(queries):
        if "\r▌" in queries:
            return b"".join(b"\x1b[1;%dR" % column for column in columns) + modes + fence
        return colours + fence

    return ask


def checks_of(ask, name="xterm-256color", **env):
    return {check.name: check for check in check_answers(name, env, ask)}


RIGHT = [wcwidth(sign) + 1 for sign in SIGNS]


def test_signs_as_wide_as_expected_are_ok():
    assert checks_of(answering(RIGHT))["width of signs"].state == OK


def test_a_sign_that_is_two_cells_wide_is_named():
    check = checks_of(answering([3, *RIGHT[1:]]))["width of signs"]
    assert (check.state, check.result) == (BROKEN, "▌ takes 2")


@pytest.mark.parametrize(
    ("modes", "state", "words"),
    [
        (b"\x1b[?1006;2$y\x1b[?2026;2$y", OK, "yes"),
        (b"\x1b[?1006;2$y\x1b[?2026;0$y", POOR, "no"),
        (b"", OK, "the terminal does not say"),
    ],
)
def test_synchronized_output_is_queried(modes, state, words):
    check = checks_of(answering(RIGHT, modes))["synchronized output"]
    assert (check.state, check.result) == (state, words)


def test_answers_that_never_come_are_poor_and_break_nothing():
    checks = checks_of(lambda _queries: b"")
    assert checks["answers"].state == POOR
    assert checks["width of signs"].state == POOR
    assert not any(check.state == BROKEN for check in checks.values())


@pytest.mark.parametrize(
    ("name", "env", "words"),
    [
        ("xterm", {"COLORTERM": "truecolor"}, "16 million"),
        ("xterm-256color", {}, "256"),
        ("xterm", {}, "16"),
        ("vt100", {}, "none"),
        ("xterm", {"NO_COLOR": "1"}, "NO_COLOR is set"),
    ],
)
def test_colours_are_named_by_their_number(name, env, words):
    assert checks_of(answering(RIGHT), name, **env)["colours"].result == words


@pytest.mark.parametrize(("size", "state"), [((49, 18), BROKEN), ((70, 20), POOR), ((80, 24), OK)])
def test_the_size_of_the_window_is_judged(size, state):
    assert doctor._check_size(*size).state == state


def test_a_missing_extra_names_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(packages, "find_spec", lambda _module: None)
    checks = {check.name: check for check in check_extras()}

    assert {check.result for check in checks.values()} == {"missing"}
    assert checks["extra web"].advice.endswith("scripts/play host --web 8080"), "in a clone"
    monkeypatch.setattr(packages, "is_clone", lambda: False)
    (web,) = [check for check in check_extras() if check.name == "extra web"]
    assert web.advice == packages.install_command(["aiohttp", "resvg-py", "pillow"], "host --web 8080")


def test_installed_extras_are_ok():
    assert {check.state for check in check_extras()} == {OK}


def run_doctor(*words, **more):
    command = [sys.executable, "-m", "tui", "doctor", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False, **more)


def test_in_a_pipe_the_report_is_json_with_the_same_keys_for_each_check():
    ended = run_doctor("--json", stdin=subprocess.DEVNULL)
    report = json.loads(ended.stdout)
    assert {*report} == {"boneyard", "python", "system", "terminal", "program", "checks"}
    assert all({*check} == {"part", "name", "state", "result", "advice"} for check in report["checks"])
    assert ended.stderr == ""
    assert ended.returncode in (0, 1)


def test_a_dumb_terminal_is_reported_with_advice():
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "dumb"}
    with subprocess.Popen(
        [sys.executable, "-m", "tui", "doctor"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=env
    ) as process:
        os.close(theirs)
        output = b""
        while b"\n" not in output:
            output += os.read(ours, 4096)
        assert b"play with --plain, or set TERM" in output
        process.kill()
    os.close(ours)
