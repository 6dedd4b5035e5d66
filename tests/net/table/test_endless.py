"""A table whose match may never end: it says so, and every seated player may end it (`docs/rules` §9)."""

import json

from core import match as core_match
from core.records import referee
from net.wire.messages import EndMatch, MakeTable, Ready, Recall, Record, Watch
from tests.net.party import Party


def seat_at_endless_match(monkeypatch, *, rounds=1):
    """Seat ada with a bot at a table whose match counts as endless after `rounds` rounds; bela watches."""
    monkeypatch.setattr(core_match, "MOST_ROUNDS", rounds)
    party = Party()
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("all-fives", 2, {"af.bonus": "own", "target": 500}, bots=1))
    party.say(2, Watch(party.update(1).table.id))
    return party


def play_round(party):
    while party.update(1).match.play.result is None:
        party.run()
        if party.on_turn(1) == 1:
            party.play(1)


def test_a_match_that_may_never_end_says_so_and_only_players_can_end_it(monkeypatch):
    party = seat_at_endless_match(monkeypatch)

    assert not party.update(1).match.endless
    play_round(party)
    assert party.update(1).match.endless
    party.say(1, Ready())
    assert party.update(1).match.endless, "also in the middle of the next round"
    assert "Only seated players" in party.refusal(party.say(2, EndMatch()))


def test_an_ended_match_has_no_winner_and_an_accepted_record_and_another_may_follow(monkeypatch):
    party = seat_at_endless_match(monkeypatch)
    play_round(party)
    party.say(1, Ready())
    party.say(1, EndMatch())

    update = party.update(1)
    assert (update.table.phase, update.match.over, update.match.unfinished) == ("over", True, True)
    assert (update.match.winners, update.match.endless) == ((), False)
    assert update.match.play.result.how == "stopped"
    messages = party.say(1, Recall())
    lines = [line for message in messages if isinstance(message, Record) for line in message.lines]
    assert json.loads(lines[-2])["unfinished"]
    assert len(list(referee(lines))) == len(lines)
    party.say(1, Ready())
    assert (party.update(1).match.round, party.update(1).match.over) == (1, False)
