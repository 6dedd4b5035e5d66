"""The client's demands on a host before the first deal, and the exceptions after a broken connection."""

import pytest
from msgspec.structs import replace

from core.fair import FairDeal, Share, commit
from core.games import GAMES
from core.match import new_match
from net.client.shares import Shares
from net.wire.messages import SeatInfo, TableInfo, Update

MINE, OTHER = b"m" * 32, b"o" * 32
MATCH = new_match(GAMES["draw"], 2, {})
TABLE = TableInfo(1, "ada", "draw", MATCH.options, (SeatInfo("ada"), SeatInfo("bela")), 0, "waiting")
FAIR = FairDeal(commit(b"secret"), (Share(commit(MINE)), Share(commit(OTHER))))
SHOWN = replace(FAIR, shares=(Share(commit(MINE), MINE.hex()), Share(commit(OTHER), OTHER.hex())))
UNUSED = replace(SHOWN, shares=(Share(commit(MINE)), SHOWN.shares[1]))
"""A deal in which the player's share was not revealed."""
DEALT, _ = MATCH.deal(MATCH.rules.tiles, 0)
OVER = replace(DEALT, over=True)


def update(phase, fair=FAIR, match=None, seat=0):
    view = match.view(seat) if match else None
    return Update(1, replace(TABLE, phase=phase), seat, view, fair=fair)


WAITING, SHUFFLING = update("waiting"), update("shuffling")
BEGUN = update("playing", SHOWN, DEALT)
OTHER_COMMITMENT = update("playing", replace(SHOWN, commitment=commit(b"other")), DEALT)


@pytest.fixture
def shares():
    """Return the shares of a player who has sat down on a free seat."""
    shares = Shares(lambda size: MINE)
    shares.join_table(may_have_begun=False)
    assert shares.pledge() == commit(MINE)
    return shares


def test_a_share_is_revealed_once_and_only_if_its_pledge_was_announced(shares):
    assert shares.handle(WAITING) == ""
    assert shares.handle(SHUFFLING) == MINE.hex()
    assert shares.handle(SHUFFLING) == ""
    shares.handle(BEGUN)
    assert shares.witness.fair == FAIR
    assert not shares.problem


def test_a_pledge_is_kept_until_the_host_has_answered(shares):
    shares.join_table(may_have_begun=False)
    assert shares.handle(SHUFFLING) == MINE.hex()
    assert not shares.problem


def test_a_revealed_share_is_not_revealed_for_another_table(shares):
    shares.handle(WAITING)
    assert shares.handle(SHUFFLING) == MINE.hex()
    shares._has_update = False
    shares.join_table(may_have_begun=False)
    assert shares.handle(SHUFFLING) == ""


@pytest.mark.parametrize("listed_share", [Share(), Share(commit(OTHER))])
def test_a_host_that_leaves_out_the_pledge_sees_no_share(shares, listed_share):
    assert shares.handle(update("shuffling", replace(FAIR, shares=(listed_share, FAIR.shares[1])))) == ""
    assert "left out" in shares.problem


def test_commitments_are_final_once_the_share_is_revealed(shares):
    shares.handle(SHUFFLING)
    shares.handle(update("shuffling", replace(FAIR, commitment=commit(b"other"))))
    assert "changed its secret" in shares.problem
    shares.handle(BEGUN)
    assert "changed its secret" in shares.witness.problem


def test_a_broken_promise_is_remembered_after_a_break(shares):
    shares.handle(SHUFFLING)
    shares.connection_broke()
    shares.pledge()
    assert shares.handle(update("shuffling", replace(FAIR, commitment=commit(b"other")))) == ""
    assert "changed its secret" in shares.problem


def test_a_player_who_is_moved_to_another_seat_after_revealing_is_informed(shares):
    shares.handle(SHUFFLING)
    shares.handle(update("playing", SHOWN, DEALT, seat=1))
    assert "moved your seat" in shares.problem


def test_a_share_that_was_lost_in_a_break_is_revealed_again(shares):
    shares.handle(SHUFFLING)
    shares.connection_broke()
    assert shares.handle(SHUFFLING) == MINE.hex()
    assert shares.handle(SHUFFLING) == ""


def test_a_deal_without_the_share_of_a_player_breaks_a_promise(shares):
    shares.handle(SHUFFLING)
    shares.handle(update("playing", UNUSED, DEALT))
    assert "without your share" in shares.problem


def test_a_deal_without_the_share_raises_only_doubts_after_a_break(shares):
    shares.handle(SHUFFLING)
    shares.connection_broke()
    shares.handle(update("playing", UNUSED, DEALT))
    assert not shares.problem
    assert "connection broke" in shares.witness.caveat


def test_a_player_who_was_away_during_the_shares_has_doubts(shares):
    shares.handle(WAITING)
    shares.connection_broke()
    shares.pledge()
    shares.handle(update("playing", SHOWN, DEALT))
    assert not shares.problem
    assert "connection broke" in shares.witness.caveat


def test_a_player_who_returns_while_others_reveal_demands_nothing(shares):
    shares.handle(update("over", match=OVER))
    shares.connection_broke()
    shares.pledge()
    without_share = replace(FAIR, shares=(Share(), FAIR.shares[1]))
    assert shares.handle(update("shuffling", without_share, match=OVER)) == ""
    assert not shares.problem


def test_a_player_who_joins_a_running_match_demands_nothing():
    shares = Shares(lambda size: MINE)
    shares.join_table(may_have_begun=True)
    shares.pledge()
    shares.handle(BEGUN)
    assert not shares.problem
    assert shares.witness is None


def test_a_match_that_begins_before_the_shares_are_revealed_breaks_a_promise(shares):
    shares.handle(BEGUN)
    assert "before your share was shown" in shares.problem


def test_a_new_match_before_the_player_is_ready_breaks_a_promise(shares):
    for message in (SHUFFLING, BEGUN, update("over", match=OVER), update("playing", SHOWN, DEALT)):
        shares.handle(message)
    assert "before your share was shown" in shares.problem


def test_in_mid_match_a_new_commitment_breaks_a_promise(shares):
    for message in (SHUFFLING, BEGUN, OTHER_COMMITMENT):
        shares.handle(message)
    assert "changed its secret" in shares.problem


def test_a_new_commitment_after_a_break_may_be_that_of_another_match(shares):
    shares.handle(SHUFFLING)
    shares.handle(BEGUN)
    shares.connection_broke()
    shares.handle(OTHER_COMMITMENT)
    assert not shares.problem
    assert "another match" in shares.witness.caveat


def test_a_spectator_adds_nothing_and_demands_nothing():
    shares = Shares(lambda size: MINE)
    shares.join_table(may_have_begun=True)
    assert shares.handle(update("shuffling", seat=-1)) == ""
    shares.handle(update("playing", SHOWN, DEALT, seat=-1))
    assert not shares.problem
    assert shares.witness.share == ""


def test_a_player_without_a_share_keeps_no_journal():
    shares = Shares(None)
    shares.join_table(may_have_begun=False)
    assert shares.pledge() == ""
    shares.handle(BEGUN)
    assert shares.journal.lines == []
    assert shares.witness is None


@pytest.mark.parametrize("keeps_evidence", [True, False])
def test_only_a_client_that_may_accuse_a_host_keeps_all_messages(keeps_evidence):
    shares = Shares(bytes)
    shares.keeps_evidence = keeps_evidence
    shares.join_table(may_have_begun=False)
    shares.pledge()
    shares.connection_broke()

    assert len(shares.journal.lines) == (3 if keeps_evidence else 0)
