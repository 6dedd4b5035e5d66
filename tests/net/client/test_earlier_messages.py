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
    first_update = update_at(match, 0, events=(PASSED,))
    first_update = with_history(replace(first_update, match=replace(first_update.match, history=())), None)
    assert first_update.match.history == (PASSED,)

    next_update = replace(first_update, match=replace(first_update.match, history=()))
    assert with_history(next_update, first_update).match.history == (PASSED, PASSED)
    assert with_history(next_update, replace(first_update, table=FULL)).match.history == (PASSED,)
    assert with_history(replace(next_update, match=None), first_update).match is None


def test_a_match_may_be_under_way_unless_a_seat_is_free():
    tables = Tables((OPEN, FULL), total=2, open=2)

    assert not may_have_begun(7, None, tables)
    assert may_have_begun(8, None, tables)
    assert may_have_begun(9, None, tables), "a table on another page"
    assert not may_have_begun(8, Update(1, FULL, 0, None), tables)
