"""The client's use of earlier messages."""

from msgspec.structs import replace

from core.actions import Passed
from net.client.client import may_have_begun, with_history
from net.wire.messages import SeatInfo, TableInfo, Tables, Update
from tests.tui.tables import match_at, update_at

OPEN = TableInfo(7, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")
FULL = replace(OPEN, id=8, seats=(SeatInfo("ada"), SeatInfo("bela")))
PASSED = Passed(0, "empty")


def test_a_history_goes_on_at_the_same_table_and_begins_anew_at_another():
    match = match_at((6, 1), "6|1 6|4 5|5", "0|0", boneyard="5|2")
    first = update_at(match, 0, events=(PASSED,))
    first = with_history(replace(first, match=replace(first.match, history=())), None)
    assert first.match.history == (PASSED,)

    then = replace(first, match=replace(first.match, history=()))
    assert with_history(then, first).match.history == (PASSED, PASSED)
    assert with_history(then, replace(first, table=FULL)).match.history == (PASSED,)
    assert with_history(replace(then, match=None), first).match is None


def test_a_match_may_be_under_way_unless_a_seat_is_free():
    tables = Tables((OPEN, FULL), total=2, open=2)

    assert not may_have_begun(7, None, tables)
    assert may_have_begun(8, None, tables)
    assert may_have_begun(9, None, tables), "a table on another page"
    assert not may_have_begun(8, Update(1, FULL, 0, None), tables)
