"""The wall clock may jump by a day or stand still: it only labels things for people, and decides nothing."""

import ast
import datetime as dates
from pathlib import Path

import pytest

from core.records import referee
from net.wire.messages import Ready
from tests.net.storage.test_publisher import data, host, published  # noqa: F401 - fixtures
from tests.net.stored_party import begin_match

ROOT = Path(__file__).parents[2]
NOW = dates.datetime(2026, 3, 29, 1, 59, 59, 123456, dates.UTC)
DAY = dates.timedelta(days=1)


@pytest.mark.parametrize("jump", [-DAY, dates.timedelta(0), DAY], ids=["back", "stands", "forward"])
def test_records_of_matches_are_ordered_whatever_the_wall_clock_does(host, data, monkeypatch, jump):  # noqa: F811
    class Clock(dates.datetime):
        times = iter([NOW, NOW + jump, NOW + jump])

        @classmethod
        def now(cls, tz=None):
            return next(cls.times).astimezone(tz)

    monkeypatch.setattr("net.storage.sqlite.datetime", Clock)
    begin_match(host)
    for match in range(3):
        host.play_out(1, 2)
        if match < 2:
            for guest in (1, 2):
                host.say(guest, Ready())

    records = published(data)
    assert len(records) == 3
    assert all(list(referee(lines))[-1].match.over for lines in records)
    last_lines = host.lobby.tables[1].recorded.lines
    assert records[-1] == list(last_lines), "the newest is last"


ASK_THE_WALL_CLOCK = {
    ("net/cluster/tls.py", "datetime.now"): "the first day of a certificate that lasts for a hundred years",
    ("net/cluster/administration.py", "datetime.now"): "the day of a ban, for the operator to read",
    ("net/host/admin.py", "datetime.now"): "the day on which somebody was banned, for the operator to read",
    ("net/storage/solo_matches.py", "datetime.now"): "the name of the directory of a match alone",
    ("net/storage/solo_matches.py", "time.time"): "whether a directory without a match is old enough to be removed",
    ("tui/run/operator_window.py", "datetime.now"): "the time of a line in the window of a host",
    ("tui/cli/arguments.py", "datetime.now"): "the day whose deal everybody has with --today",
    ("tui/i18n.py", "datetime.fromtimestamp"): "when a match was played, in lists",
    ("net/logs.py", "datetime.fromtimestamp"): "the time of a line in the log",
    ("net/logs.py", "time.time"): "the time of a line that tells how many were not written",
    ("net/web/door.py", "datetime.now"): "whether a certificate has ended",
    **{
        ("net/hosting/machine.py", f"time.{name}"): "whether the clock of a machine is right, for boneyard doctor"
        for name in ("time", "gmtime", "strftime")
    },
    ("net/client/verify_match.py", "datetime.now"): "the name of one's own copy of a record",
    (
        "net/storage/sqlite.py",
        "datetime.now",
    ): "the name of a record, which is later than the one before it at any rate",
}
WALL = {"time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime", "time.ctime", "date.today"}
WALL |= {f"datetime.{name}" for name in ("now", "utcnow", "today", "fromtimestamp", "utcfromtimestamp")}


def test_only_listed_functions_read_the_wall_clock():
    calls = set()
    for path in (path for folder in ("core", "net", "themes", "tui") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            names = set()
            if isinstance(node, ast.Attribute):
                names = {".".join(ast.unparse(node).split(".")[-2:])}
            elif isinstance(node, ast.ImportFrom) and node.module == "time":
                names = {f"time.{alias.name}" for alias in node.names}
            calls |= {(str(path.relative_to(ROOT)), name) for name in names & WALL}

    assert calls == set(ASK_THE_WALL_CLOCK)
