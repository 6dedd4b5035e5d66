"""Fair deals (docs/fair-deals.md): the host commits, clients pledge and reveal their shares, the record proves it."""

import json
from hashlib import sha256

import pytest

from core.fair import commit, deal_key, deal_order
from core.records import RecordError, referee
from net.wire.messages import MakeTable, Ready, Recall, Record, Reveal, Sit
from tests.net.pledges import SHARES, party_with_known_secrets, play_with_shares, sit_down_with_pledges


@pytest.fixture
def party():
    return party_with_known_secrets()


def test_the_commitment_is_sent_before_any_share_is_revealed(party):
    sit_down_with_pledges(party)

    update = party.update(2)
    assert update.table.phase == "shuffling"
    assert update.match is None
    assert update.fair.commitment == sha256(b"first secret").hexdigest()
    assert [share.pledge for share in update.fair.shares] == [commit(SHARES[1]), commit(SHARES[2])]
    assert [share.share for share in update.fair.shares] == ["", ""]


def test_the_tiles_are_dealt_with_the_last_share(party):
    sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))
    assert party.update(1).match is None
    party.say(2, Reveal(SHARES[2].hex()))

    update = party.update(1)
    assert update.match.round == 1
    assert [share.share for share in update.fair.shares] == [SHARES[1].hex(), SHARES[2].hex()]
    key = deal_key(b"first secret", update.fair.shares)
    order, _ = deal_order(match_rules(party).tiles, 2, key, 1)
    assert set(update.match.play.hand) <= set(order)


def match_rules(party):
    return party.get_table().match.rules


@pytest.mark.parametrize("share", [SHARES[3].hex(), "", "zz", "00" * 31])
def test_another_share_than_the_pledged_one_is_refused(party, share):
    sit_down_with_pledges(party)

    assert "not the one you pledged" in party.refusal(party.say(1, Reveal(share)))


def test_a_share_cannot_be_revealed_twice(party):
    sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))

    assert "No share is due" in party.refusal(party.say(1, Reveal(SHARES[1].hex())))


def test_no_pledge_is_accepted_once_shares_are_revealed(party):
    table = sit_down_with_pledges(party)
    party.say(1, Sit(table.id, pledge=commit(SHARES[3])))

    assert party.update(1).fair.shares[0].pledge == commit(SHARES[1])


@pytest.mark.parametrize("pledge", ["short", "Z" * 64, "A" * 64])
def test_an_invalid_pledge_is_refused(party, pledge):
    assert "Invalid pledge" in party.refusal(party.say(1, MakeTable("draw", 2, {}, pledge=pledge)))


def test_a_share_that_is_not_revealed_in_time_is_left_out_and_the_record_says_so(party):
    table = sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))
    assert table.delay is not None
    party.deliver(party.lobby.step(table.id))

    match = json.loads(table.recorded.lines[0])
    assert match["fair"]["shares"] == [[commit(SHARES[1]), SHARES[1].hex()], [commit(SHARES[2]), ""]]


def test_a_player_who_drops_out_while_shares_are_revealed_keeps_the_seat(party):
    sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.go(2)
    party.run()

    assert party.update(1).match.round == 1
    assert party.update(1).table.seats[1].name == "bela"


def test_the_record_is_handed_out_when_the_match_is_over_and_not_before(party):
    sit_down_with_pledges(party)
    assert "when the match is over" in party.refusal(party.say(1, Recall()))
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    assert "when the match is over" in party.refusal(party.say(1, Recall()))
    party.play_out(1, 2)

    parts = [message for message in party.say(2, Recall()) if isinstance(message, Record)]

    lines = [line for part in parts for line in part.lines]
    assert [part.last for part in parts] == [False] * (len(parts) - 1) + [True]
    assert list(referee(lines))[-1].match.over
    assert bytes.fromhex(json.loads(lines[-2])["secret"]) == b"first secret"


def test_another_match_has_another_secret_and_new_shares(party):
    play_with_shares(party)
    assert party.update(1).fair.commitment == commit(b"second secret")
    party.say(1, Ready(commit(SHARES[3])))
    party.say(2, Ready())

    assert party.update(2).table.phase == "shuffling"
    party.say(1, Reveal(SHARES[3].hex()))
    assert party.update(2).match.round == 1
    assert not party.update(2).match.over


def test_the_secret_stays_hidden_until_the_match_is_over(party):
    sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    for _ in range(10):
        party.play(party.on_turn(1, 2))

    for payload in (*party.bytes[1], *party.bytes[2]):
        assert b"first secret" not in payload
        assert b"first secret".hex().encode() not in payload


def change_line(lines, index, **fields):
    return [*lines[:index], json.dumps(json.loads(lines[index]) | fields), *lines[index + 1 :]]


def record_error(lines):
    with pytest.raises(RecordError) as raised:
        list(referee(lines))
    return raised.value


def test_a_record_whose_deals_differ_from_the_commitment_is_refused(party):
    table = play_with_shares(party)
    lines = list(table.recorded.lines)
    match_line = json.loads(lines[0])

    assert "that the host committed" in record_error(change_line(lines, len(lines) - 2, secret=b"other".hex())).reason
    assert "not hexadecimal" in record_error(change_line(lines, len(lines) - 2, secret="z")).reason
    without_shares = change_line(lines, 0, fair=match_line["fair"] | {"shares": [["", ""], ["", ""]]})
    assert record_error(without_shares).line == 2
    assert "does not follow" in record_error(without_shares).reason
    forged = match_line["fair"] | {"shares": [[commit(SHARES[1]), SHARES[3].hex()], ["", ""]]}
    assert "not the one that was pledged" in record_error(change_line(lines, 0, fair=forged)).reason
    assert "for every seat" in record_error(change_line(lines, 0, fair=match_line["fair"] | {"shares": []})).reason
    assert "no SHA-256" in record_error(change_line(lines, 0, fair=match_line["fair"] | {"commitment": "0"})).reason
    assert "belongs to format 2 and later" in record_error(change_line(lines, 0, fair=None)).reason
