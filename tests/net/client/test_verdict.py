"""The proof value of a record: its signatures, its witnesses, and the parts that are unsigned."""

import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from core.records import RecordError, Signature, accept_nothing, write
from net.client.verify_match import verify_record
from net.ssh.keys import signing
from net.wire.messages import Reveal
from tests.mutations import is_accepted, lines_of, signed, unsealed
from tests.net.pledges import SHARES, party_with_known_secrets, sit_down_with_pledges


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    return signing(folder / "host"), signing(folder / "player"), signing(folder / "forger")


def test_the_signature_of_a_witness_is_valid_for_its_own_seat_only(keys):
    (sign, check), player, _ = keys
    *lines, seal, witness = signed(lines_of("forty-two"), sign, player.sign)

    assert verify_record([*lines, seal, witness], check).witnesses
    assert not is_accepted([*lines, seal, witness.replace('"seat":1', '"seat":3')], check)


def test_signatures_are_counted_by_key_and_match(keys):
    (sign, check), player, (forge, _) = keys
    match_lines = lines_of("draw")
    lines = [
        *signed(match_lines, sign, player.sign),
        *signed(match_lines, forge),
        *signed(match_lines, lambda _: Signature()),
    ]

    verdict = verify_record([*lines, *unsealed(match_lines)], check)

    assert (verdict.matches, verdict.unsigned, verdict.uncommitted) == (4, 2, 0)
    assert sorted(verdict.signers.values()) == [1, 1]
    assert [(name, seat) for name, seat, _ in verdict.witnesses] == [("player 1", 1)]


def test_an_invalid_signature_is_reported_with_its_line(keys):
    (sign, check), player, _ = keys
    lines = lines_of("draw")
    *_, seal, witness = signed(lines, sign, player.sign)

    for damaged_lines, reason in (
        ([*lines, seal.replace('"signature":"', '"signature":"A')], "the host's signature is not valid"),
        (
            [*lines, seal, witness.replace('"signature":"', '"signature":"A')],
            "the signature of the witness in seat 1 is not valid",
        ),
    ):
        with pytest.raises(RecordError) as error:
            verify_record(damaged_lines, check)
        assert (error.value.reason, error.value.line) == (reason, len(damaged_lines))


def test_a_pledged_share_that_was_not_revealed_is_reported_by_name():
    party = party_with_known_secrets()
    table = sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.deliver(party.lobby.step(table.id))
    party.play_out(1, 2)

    assert verify_record(table.recorded.lines, accept_nothing).unshown == {"bela": 1}


def test_a_match_that_was_stopped_is_counted_as_unfinished(monkeypatch):
    monkeypatch.setattr("core.match.MOST_ROUNDS", 3)
    match = new_match(GAMES["all-fives"], 4, {"af.bonus": "own", "af.spinner": "none", "draw.max": 1})
    lines = [write(step.line) for step in play_match(match, ("random",) * 4, b"1 0", "test")]
    verdict = verify_record(lines, accept_nothing)

    assert (verdict.matches, verdict.unfinished, verdict.lines) == (1, 1, len(lines))
