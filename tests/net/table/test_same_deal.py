"""A finished game for one player: the last choice is taken back, or the same tiles are dealt again."""

from itertools import count

import pytest

from core.actions import Dealt, GiveUp, TakenBack
from core.records import DealLine, referee
from net.table.persistence import RecordedMatch
from net.wire.messages import MakeTable, Ready, Watch
from tests.net.party import Party
from tests.net.solo import solo_player
from tests.waiting import until


def give_up(legal):
    return legal[legal.index(GiveUp())]


def give_up_after_three_moves(**wish):
    """Return a party whose only player has given up after three moves."""
    party = Party(new_secret=map(b"secret %d".__mod__, count()).__next__)
    party.come(1, "ada")
    party.say(1, MakeTable("patience", 1, {"pa.game": "castle-rock"}, **({"take_back": True} | wish)))
    for _ in range(3):
        party.play(1)
    party.play(1, give_up)
    return party


def record_lines(party):
    return party.get_table().recorded.lines


def dealt_tiles(lines):
    return next(step.line.tiles for step in referee(lines) if isinstance(step.line, DealLine))


def test_the_last_choice_is_taken_back_after_the_end():
    party = give_up_after_three_moves()
    party.say(1, Ready(same="choice"))
    update = party.update(1)

    assert update.events == (TakenBack(0, GiveUp()),)
    assert (update.match.over, update.play.turn) == (False, 0)
    assert GiveUp() in update.play.legal


def test_a_match_that_was_taken_back_ends_with_a_valid_record_of_the_same_deal():
    party = give_up_after_three_moves()
    first_lines = record_lines(party)
    party.say(1, Ready(same="choice"))
    party.play(1, give_up)

    assert dealt_tiles(record_lines(party)) == dealt_tiles(first_lines)
    assert len(record_lines(party)) == len(first_lines)


def test_the_same_deal_begins_again_without_its_moves():
    party = give_up_after_three_moves()
    first_lines = record_lines(party)
    party.say(1, Ready(same="deal"))

    assert party.update(1).events[0] == Dealt(1)
    party.play(1, give_up)
    assert dealt_tiles(record_lines(party)) == dealt_tiles(first_lines)
    assert len(record_lines(party)) == len(first_lines) - 3


def test_a_new_deal_follows_the_same_deal():
    party = give_up_after_three_moves()
    party.say(1, Ready(same="deal"))
    party.play(1, give_up)
    first_lines = record_lines(party)
    party.say(1, Ready())
    party.play(1, give_up)

    assert dealt_tiles(record_lines(party)) != dealt_tiles(first_lines)


def test_a_resumed_table_goes_on_with_the_same_deal():
    party = give_up_after_three_moves()
    party.say(1, Ready(same="choice"))
    recorded = party.get_table().recorded
    resumed = RecordedMatch.of(recorded.initial, recorded.dealer).resume(recorded.lines, recorded.shuffle)

    resumed, _ = resumed.apply(GiveUp())
    assert len(list(referee(resumed.lines))) == len(resumed.lines)


@pytest.mark.parametrize("same", ["choice", "deal"])
def test_a_game_that_is_still_played_is_not_dealt_again(same):
    party = give_up_after_three_moves()
    party.say(1, Ready())

    assert "Only a finished game for one player" in party.refusal(party.say(1, Ready(same=same)))


def test_a_table_without_taking_back_only_repeats_the_deal():
    party = give_up_after_three_moves(take_back=False)
    party.say(1, Ready(same="choice"))
    assert party.update(1).match.over
    party.say(1, Ready(same="deal"))

    assert not party.update(1).match.over


def test_only_the_player_repeats_a_deal():
    party = give_up_after_three_moves()
    party.come(2, "bela")
    party.say(2, Watch(party.update(1).table.id))
    party.say(2, Ready(same="deal"))

    assert party.update(1).match.over


@pytest.mark.parametrize("same", ["choice", "deal"])
async def test_a_client_that_plays_the_same_deal_again_accuses_nobody(tmp_path, same):
    async with solo_player(tmp_path, MakeTable("patience", 1, take_back=True), entropy=bytes) as player:
        await until(lambda: player.match)
        dealt = player.match.play.piles
        player.client.act(GiveUp())
        await until(lambda: player.match.over)
        player.client.play_again(same)
        await until(lambda: not player.match.over)

        assert player.match.play.piles == dealt
        assert not player.client.shares.problem
