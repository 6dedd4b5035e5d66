"""The window of a host: plain sentences about arrivals, departures and problems."""

import logging
from datetime import datetime

import pytest

from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.logs import fields
from net.players.accounts import Accounts
from net.wire.messages import PROTOCOL, Enter, Hello, MakeTable
from tui.i18n import begin_session
from tui.run.operator_window import WARNINGS_AT_ONCE, LobbyObserver, Warnings, Window, open_local_window


class Shown:
    """A lobby, and the text of its window."""

    def __init__(self):
        self.text = ""
        self.lobby = Lobby(Accounts(), new_secret=lambda: b"seed", software="test")
        self.window = Window(self.write, now=lambda: datetime(2026, 1, 31, 18, 33))
        self.observer = LobbyObserver(self.lobby, self.window)
        self.last = 0

    def write(self, text):
        self.text += text

    def enter(self, name, key="", **more):
        self.last += 1
        self.lobby.front.connect(self.last, Visitor(name, key, address="192.0.2.1", **more))
        self.lobby.receive(self.last, Hello(PROTOCOL, "test"))
        self.lobby.receive(self.last, Enter(name))
        return self.last

    def lines(self):
        self.observer.poll()
        said, self.text = self.text, ""
        return said.splitlines()


@pytest.fixture
def host_window():
    yield Shown()
    begin_session("en")


def test_the_window_reports_arrivals_and_the_number_of_players(host_window):
    host_window.enter("bob")
    assert host_window.lines() == ["18:33 bob logged in by ssh. 1 player is here now."]
    host_window.enter("ann", joined=True)
    assert host_window.lines() == ["18:33 ann logged in by `boneyard join`. 2 players are here now."]
    assert host_window.lines() == []


def test_the_window_reports_opened_tables_and_departures(host_window):
    ann = host_window.enter("ann")
    host_window.lines()
    host_window.lobby.receive(ann, MakeTable("mexican-train", 2, {}))
    assert host_window.lines() == ["18:33 ann opened Mexican Train."]
    host_window.lobby.disconnect(ann)
    assert host_window.lines() == ["18:33 ann has left. Nobody is here now."]


def test_a_player_with_two_connections_arrives_once_and_leaves_once(host_window):
    first, second = host_window.enter("ann", "SHA256:ann"), host_window.enter("ann", "SHA256:ann")
    assert host_window.lines() == ["18:33 ann logged in by ssh. 1 player is here now."]
    host_window.lobby.disconnect(first)
    assert host_window.lines() == []
    host_window.lobby.disconnect(second)
    assert host_window.lines() == ["18:33 ann has left. Nobody is here now."]


def test_the_window_speaks_the_language_of_the_terminal(host_window):
    begin_session("de")
    host_window.enter("bob")
    assert host_window.lines() == ["18:33 bob kam über ssh herein. 1 Spieler ist jetzt hier."]


def record(event, level=logging.WARNING, **values):
    made = logging.LogRecord("net.somewhere", level, __file__, 1, event, (), None)
    made.fields = fields(**values)["fields"]
    return made


def test_warnings_are_sentences_and_the_rest_of_the_log_is_not_shown(host_window):
    warnings = Warnings(host_window.window)
    warnings.handle(record("cannot-save", logging.ERROR, error="database or disk is full."))
    warnings.handle(record("timer-not-set", logging.ERROR, table=3))
    assert host_window.lines() == [
        "18:33 Nothing can be saved, so nobody can play: database or disk is full.",
        "18:33 Something went wrong (timer-not-set); the server log says what.",
    ]
    logger = logging.Logger("net.somewhere")
    logger.addHandler(warnings)
    logger.info("session-opened", extra=fields(user="bob"))
    assert host_window.lines() == []


def test_a_warning_has_the_windows_language_even_if_a_guest_of_another_causes_it(host_window):
    warnings = Warnings(host_window.window)
    begin_session("de")
    warnings.handle(record("saving-again"))
    assert host_window.lines() == ["18:33 Everything can be saved again."]


def test_hostile_text_is_cut_and_cannot_move_the_cursor_or_forge_a_line(host_window):
    warnings = Warnings(host_window.window)
    warnings.handle(record("cannot-publish", folder="x\x1b[2J\r\n18:34 bob left.", error="y" * 5000))
    lines = host_window.lines()
    assert lines[0].startswith("18:33 ")
    assert all(line.startswith("      ") for line in lines[1:])
    assert all(line.isprintable() and len(line) <= 80 for line in lines)
    assert len(lines) < 6


def test_warnings_of_one_kind_do_not_fill_the_window(host_window):
    now = 0.0
    warnings = Warnings(host_window.window, clock=lambda: now)
    for number in range(1000):
        warnings.handle(record("wrong-invitation", address=f"192.0.2.{number}"))
    assert len(host_window.lines()) == WARNINGS_AT_ONCE
    warnings.handle(record("saving-again"))
    assert len(host_window.lines()) == 1


def test_a_long_sentence_is_broken_between_words(host_window):
    host_window.window.report("word " * 40)
    lines = host_window.lines()
    assert all(line.endswith("word") and len(line) <= 80 for line in lines)


def test_an_old_terminal_is_written_to_in_ascii(host_window):
    window = Window(host_window.write, ascii=True, now=lambda: datetime(2026, 1, 31, 18, 33))
    window.report("José — left…")
    assert host_window.text.isascii()


def test_a_terminal_that_cannot_be_opened_anew_is_written_to_as_it_is(monkeypatch, capsys):
    def refuse(_stream):
        raise OSError(6, "No such device or address")

    monkeypatch.setattr("tui.run.operator_window.Device", refuse)
    monkeypatch.setattr("sys.stdout.fileno", lambda: 1, raising=False)
    with open_local_window() as window:
        window.say("ann logged in by ssh.")
    assert capsys.readouterr().out == "ann logged in by ssh.\n"
