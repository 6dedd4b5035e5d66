"""A file of evidence: everything that a client sent and received. Anybody can check it; any change is detected."""

import msgspec
import pytest

from core.records import Signature, accept_nothing
from net.client import shares as files
from net.client.shares import (
    Accusation,
    ConnectionBroke,
    EvidenceError,
    JoinedTable,
    Journal,
    PlayerSignature,
    Pledged,
    UpdateReceived,
    evidence_lines,
    read_evidence,
    statement,
)
from net.ssh.keys import signing
from net.wire.messages import Update
from tests.net.party import Party

SHARE = "ab" * 32
ACCUSATION = Accusation("SHA256:host", "the host changed its secret after your share was shown")


@pytest.fixture(scope="module")
def player(tmp_path_factory):
    return signing(tmp_path_factory.mktemp("keys") / "player")


@pytest.fixture(scope="module")
def updates():
    """Return the updates that the host sent ada during a match."""
    party = Party()
    party.come(1, "ada")
    party.make_table(1, bots=1)
    party.run()
    return [message for message in party.received[1] if isinstance(message, Update)]


@pytest.fixture(scope="module")
def journal(updates):
    journal = Journal()
    for entry in (JoinedTable(begun=False), Pledged(SHARE), *map(UpdateReceived, updates), ConnectionBroke()):
        journal.note(entry)
    return journal


@pytest.fixture(scope="module")
def signed(journal, player):
    lines = evidence_lines(ACCUSATION, journal, ['{"type":"match"}', '{"type":"end"}'])
    signature = msgspec.json.encode(PlayerSignature(*player.sign(statement(lines))))
    return [line.decode() for line in (*lines, signature)]


def test_written_evidence_is_read_unchanged(signed, player, updates):
    evidence = read_evidence(signed, player.check)

    assert evidence.accusation == ACCUSATION
    assert evidence.entries == [
        JoinedTable(begun=False),
        Pledged(SHARE),
        *map(UpdateReceived, updates),
        ConnectionBroke(),
    ]
    assert evidence.record == ['{"type":"match"}', '{"type":"end"}']


def test_evidence_is_signed_by_a_player_with_a_key_and_unsigned_without_one(signed, player):
    assert read_evidence(signed, player.check).signer.startswith("SHA256:")
    assert read_evidence(signed[:-1], player.check).signer == ""


def test_every_line_is_protected_against_change_removal_and_reordering(signed, player):
    for index in range(len(signed) - 1):
        for changed_lines in (
            [*signed[:index], signed[index].replace("e", "f", 1), *signed[index + 1 :]],
            [*signed[:index], *signed[index + 1 :]],
            [*signed[:index], signed[index + 1], signed[index], *signed[index + 2 :]],
        ):
            with pytest.raises(EvidenceError):
                read_evidence(changed_lines, player.check)


def test_another_players_signature_does_not_hold(signed):
    with pytest.raises(EvidenceError, match="its signature is not valid"):
        read_evidence(signed, accept_nothing)


def test_the_signature_is_the_last_line_and_the_accusation_the_first(signed, player):
    with pytest.raises(EvidenceError, match=f"line {len(signed) + 1} does not belong there"):
        read_evidence([*signed, signed[1]], player.check)
    with pytest.raises(EvidenceError, match="line 2 does not belong there"):
        read_evidence([signed[0], *signed], player.check)
    with pytest.raises(EvidenceError, match="it does not begin like evidence"):
        read_evidence(signed[1:], player.check)
    with pytest.raises(EvidenceError, match="it is empty"):
        read_evidence([], player.check)


@pytest.mark.parametrize("line", ["", "{}", "[" * 100_000, '{"type":"told"}', '{"type":"broke","more":1}', "\ud800"])
def test_a_malformed_line_is_reported_with_its_number(signed, line):
    with pytest.raises(EvidenceError, match="line 2 cannot be read"):
        read_evidence([signed[0], line], accept_nothing)


def test_an_invalid_share_is_refused(signed):
    with pytest.raises(EvidenceError, match="the share on line 2 is not valid"):
        read_evidence([signed[0], '{"type":"pledged","share":"ab"}'], accept_nothing)


def test_messages_that_no_host_can_have_sent_are_refused(signed, updates):
    impossible = msgspec.structs.replace(updates[-1], seat=5)

    with pytest.raises(EvidenceError, match="no host can have sent what is on line 2"):
        read_evidence([signed[0], msgspec.json.encode(UpdateReceived(impossible)).decode()], accept_nothing)


def test_a_host_cannot_fill_the_memory_of_a_player(monkeypatch, updates):
    monkeypatch.setattr(files, "MAX_JOURNAL_BYTES", 10_000)
    journal = Journal()
    for update in updates * 50:
        journal.note(UpdateReceived(update))

    assert 0 < sum(map(len, journal.lines)) <= 10_000


def test_the_signed_bytes_depend_on_every_line_and_their_order():
    assert len({statement(lines) for lines in ([b"a", b"b"], [b"b", b"a"], [b"ab"], [b"a"], [])}) == 5


def test_an_empty_signature_is_refused(signed):
    with pytest.raises(EvidenceError, match="is not valid"):
        read_evidence([*signed[:-1], msgspec.json.encode(PlayerSignature(*Signature())).decode()], lambda *_: "")
