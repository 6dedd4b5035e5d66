"""Witnesses: a player who saw a whole match signs its record with their own key, and no other key is accepted."""

import json

import asyncssh
import pytest
from msgspec.structs import replace

from core.records import Signing
from net.client.verify_match import verify_record
from net.ssh.keys import signing
from net.wire.messages import Attest, Leave, MakeTable, Ready, Sit
from tests.net.party import Party
from tests.net.witnesses import ADA, BELA, attest, chain_of, lines_of, play_with_keys


@pytest.fixture
def party(tmp_path):
    return play_with_keys(tmp_path)


def signature_check(tmp_path):
    return signing(tmp_path / "host_key").check


def test_the_record_of_a_host_is_signed_by_it_and_its_players(party, tmp_path):
    chain = chain_of(party)
    assert party.say(2, attest(BELA, chain, 1)) == []
    assert party.say(1, attest(ADA, chain, 0)) == []

    verdict = verify_record(lines_of(party), signature_check(tmp_path))
    key = asyncssh.read_private_key(tmp_path / "host_key").get_fingerprint()
    assert verdict.signers == {key: 1}
    assert set(verdict.witnesses) == {("bela", 1, BELA.get_fingerprint()), ("ada", 0, ADA.get_fingerprint())}


@pytest.mark.parametrize(
    "make_attestation",
    [
        lambda chain: attest(BELA, chain, 0),  # another's key
        lambda chain: attest(ADA, chain, 1),  # another's seat
        lambda chain: attest(ADA, "0" * 64, 0),  # another record
        lambda chain: Attest(chain, "", ""),
        lambda chain: Attest("", "", ""),
        lambda chain: replace(attest(ADA, chain, 0), signature=attest(BELA, chain, 0).signature),
        lambda chain: replace(attest(ADA, chain, 0), key="x" * 60_000),
    ],
)
def test_a_signature_by_another_key_or_for_another_record_changes_nothing(party, make_attestation):
    lines_before = list(lines_of(party))

    assert party.say(1, make_attestation(chain_of(party))) == []
    assert lines_of(party) == lines_before


def test_a_witness_signs_once_with_a_seat_and_between_the_end_and_the_next_match(party):
    chain = chain_of(party)
    party.say(1, attest(ADA, chain, 0))
    party.say(1, attest(ADA, chain, 0))
    assert len([line for line in lines_of(party) if '"witness"' in line]) == 1
    table = next(iter(party.lobby.tables))
    party.say(2, Leave())
    party.say(2, attest(BELA, chain, 1))
    party.say(2, Sit(table))
    for number in (1, 2):
        party.say(number, Ready())
    assert party.update(1).match.round == 1
    party.say(2, attest(BELA, chain, 1))

    assert not any('"witness"' in line for line in lines_of(party))


def test_a_player_without_a_key_is_no_witness():
    party = Party(signing=Signing(check=lambda statement, signature: ""))
    party.come(1, "carol")
    party.come(2, "dora")
    party.say(1, MakeTable("draw", 2, {"target": 50}))
    party.say(2, Sit(party.update(1).table.id))
    party.play_out(1, 2)
    lines_before = list(lines_of(party))
    party.say(1, attest(ADA, chain_of(party), 0))

    assert lines_of(party) == lines_before


def test_a_witness_is_added_to_the_record_which_is_published_again(party):
    party.say(1, attest(ADA, chain_of(party), 0))
    change = party.changes[-1]

    assert [json.loads(line)["type"] for line in change.lines] == ["witness"]
    assert change.ends
    assert not change.begins


def test_a_player_in_the_seat_of_a_bot_is_no_witness_of_its_moves(tmp_path):
    party = Party(signing=signing(tmp_path / "host_key"))
    party.come(1, "ada", ADA.get_fingerprint())
    party.come(2, "bela", BELA.get_fingerprint())
    party.say(1, MakeTable("draw", 2, {"target": 50}, bots=1))
    party.say(2, Sit(party.update(1).table.id))
    party.play_out(1, 2)
    party.say(2, attest(BELA, chain_of(party), 1))

    assert not [line for line in lines_of(party) if '"witness"' in line]
