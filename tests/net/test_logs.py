"""Log lines: one for each event, however hostile its data."""

import logging
import re
import shlex
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from net.limits import LOG_COUNTED_EVERY, LOG_KINDS, LOG_LINES_AT_ONCE
from net.logs import LineFormatter, RepeatFilter, fields, quote


def line(event, level=logging.INFO, exc_info=None, **values):
    record = logging.LogRecord("net.ssh.server.connection", level, __file__, 1, event, (), exc_info)
    for key, value in fields(**values).items():
        setattr(record, key, value)
    return LineFormatter().format(record)


def test_a_line_has_time_level_logger_event_and_values():
    logged = line("session-opened", address="192.0.2.1", key="SHA256:ab+/c", tables=3)
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO net\.ssh\.server\.connection session-opened "
        r"address=192\.0\.2\.1 key=SHA256:ab\+/c tables=3",
        logged,
    )


def test_in_a_cluster_every_line_ends_with_its_node():
    record = logging.LogRecord("net.host.server", logging.INFO, __file__, 1, "saving-again", (), None)
    assert LineFormatter("north").format(record).endswith(" saving-again node=north")


@pytest.mark.parametrize("user", ["pi+k7qx2m9fh3tw", "pi+k7qx2m9fh3t+"], ids=["typed", "mistyped"])
def test_a_return_code_is_removed_from_a_user_name(user):
    assert line("turned-away", user=user).endswith("turned-away user=pi")


def test_unknown_values_are_left_out():
    assert line("turned-away", key=None, user="").endswith('turned-away user=""')


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Anna", "Anna"),
        ("Big Ben", '"Big Ben"'),
        ("", '""'),
        ('a"b', '"a\\"b"'),
        ("a\\b", '"a\\\\b"'),
        ("a=b", '"a=b"'),
        ("José", '"José"'),
        ("a\nb\r\tc", '"a\\nb\\r\\tc"'),
        ("\x1b[2J\x00\x7f\x9b", '"\\x1b[2J\\x00\\x7f\\x9b"'),
        ("\u202eanna\u2028\u200b", '"\\u202eanna\\u2028\\u200b"'),
        ("\ud800", '"\\ud800"'),
        ("\U000e0001", '"\\U000e0001"'),
        (None, "None"),
        (3.5, "3.5"),
    ],
)
def test_a_value_is_plain_or_quoted(value, written):
    assert quote(value) == written


@pytest.mark.parametrize(
    "name",
    [
        "ann\n2026-01-01T00:00:00.000Z CRITICAL net forged user=root",
        'ann" key=SHA256:somebody "',
        "ann user=root",
        "ann\\",
        "\u2028 CRITICAL net forged",
    ],
)
def test_no_name_forges_a_line_or_a_value(name):
    logged = line("session-opened", user=name, address="192.0.2.1")
    assert len(logged.splitlines()) == 1
    words = shlex.split(logged)
    assert [word.partition("=")[0] for word in words[4:]] == ["user", "address"]
    assert words[1:4] == ["INFO", "net.ssh.server.connection", "session-opened"]


@given(st.text())
def test_any_text_is_one_printable_value_on_one_line(text):
    logged = quote(text)
    assert logged.isprintable()
    assert len(shlex.split(logged)) == 1


@given(st.text())
def test_any_message_of_other_libraries_is_one_word(text):
    logged = line(text.replace("%", ""))
    assert len(logged.splitlines()) == 1
    assert len(shlex.split(logged)) == 4


def test_an_exception_is_one_value_with_its_whole_traceback():
    try:
        raise LookupError("the tile\nfell off")
    except LookupError:
        logged = line("session-crashed", logging.ERROR, sys.exc_info(), user="ann")
    assert len(logged.splitlines()) == 1
    assert (
        ' ERROR net.ssh.server.connection session-crashed user=ann exception="Traceback (most recent call last):\\n'
        in logged
    )
    assert logged.endswith('LookupError: the tile\\nfell off"')


class LineRecorder(logging.Handler):
    """A handler that keeps its lines, with a clock that the test sets."""

    def __init__(self):
        super().__init__()
        self.lines = []
        self.setFormatter(LineFormatter())
        self.now = 0.0
        self.addFilter(RepeatFilter(self, lambda: self.now))

    def emit(self, record):
        self.lines.append(self.format(record))


def log_event(handler, event, time, exc_info=None, place=1, **values):
    """Log an event at a time; `place` is the line of code that logs it."""
    record = logging.LogRecord("net.doors.connections", logging.INFO, __file__, place, event, (), exc_info)
    handler.now = time
    for key, value in fields(**values).items():
        setattr(record, key, value)
    handler.handle(record)


def test_endless_repetitions_are_counted_and_logged_in_one_line():
    handler = LineRecorder()
    for number in range(1000):
        log_event(handler, "turned-away", 1000 + number / 200, address=f"192.0.2.{number % 250}", reason="too-fast")
    log_event(handler, "turned-away", 1001, address="192.0.2.1", reason="banned")
    log_event(handler, "opened", 1001, place=2)
    assert LOG_LINES_AT_ONCE < len(handler.lines) < LOG_LINES_AT_ONCE + 6
    log_event(handler, "opened", 1000 + LOG_COUNTED_EVERY, place=2)
    logged_in_full = sum("too-fast" in line and "address" in line for line in handler.lines)
    assert handler.lines[-2].endswith(
        f"net.doors.connections turned-away reason=too-fast more={1000 - logged_in_full}"
    )
    assert sum("banned" in line for line in handler.lines) == 1


def test_a_repeated_failure_is_logged_in_full_once_and_then_counted():
    handler = LineRecorder()

    def fail(number):
        raise LookupError(f"number {number}")

    def fail_elsewhere():
        raise LookupError

    for number in range(100):
        try:
            fail(number) if number != 50 else fail_elsewhere()
        except LookupError:
            log_event(handler, "screen-broke", 1000 + number / 20, sys.exc_info(), user=f"guest {number}")
    assert [line.count("Traceback") for line in handler.lines] == [1, 1]
    log_event(handler, "opened", 1000 + LOG_COUNTED_EVERY, place=2)
    assert handler.lines[-2].endswith("screen-broke exception=LookupError more=98")


def test_strangers_cause_a_bounded_number_of_kinds_of_lines():
    handler = LineRecorder()
    for number in range(LOG_KINDS * 3):
        log_event(handler, "turned-away", 1000, reason=f"{number}")
    (repeats,) = handler.filters
    assert len(repeats._buckets) <= LOG_KINDS
