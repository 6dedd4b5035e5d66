"""A deleted person has a pseudonym in the records of the host, which still verify."""

import asyncssh
import pytest

from net.client.verify_match import verify_record
from net.ssh.asyncssh_private import public_data_of, sign
from net.ssh.keys import fingerprint_of, signature_of, signed_bytes, signing
from net.storage.personal import RecordUntouchedError, give_pseudonym, records_of
from tests.mutations import lines_of, signed

KEY = asyncssh.generate_private_key("ssh-ed25519")


def witness(statement):
    return signature_of(public_data_of(KEY), sign(KEY, signed_bytes(statement)))


@pytest.fixture
def host(tmp_path):
    return signing(tmp_path / "host_key")


@pytest.fixture
def record(tmp_path, host):
    """Return a record of Draw whose players are “player 1”, with a witness, and a bot."""
    folder = tmp_path / "records"
    folder.mkdir()
    path = folder / "20260101-120000-000000-draw-1.jsonl"
    path.write_text("\n".join(signed(lines_of("draw"), host.sign, witness)) + "\n")
    return path


def test_a_person_is_found_by_name_and_by_the_key_of_a_witness(record, host):
    assert list(records_of(record.parent, "player 1", [], host)) == [(record, {1})]
    assert list(records_of(record.parent, "somebody", [KEY.get_fingerprint()], host)) == [(record, {1})]
    assert list(records_of(record.parent, "somebody", [], host)) == []
    assert list(records_of(record.parent, "player 0", [], host)) == [], "that is a bot"


def test_a_record_with_a_pseudonym_verifies_and_has_neither_name_nor_key(record, host):
    text_before = record.read_text()
    give_pseudonym(record, {1}, "gone-k7qx2m", host)
    text_after = record.read_text()
    verify_record(text_after.splitlines(), fingerprint_of)
    assert "player 1" not in text_after
    assert "gone-k7qx2m" in text_after
    assert "witness" not in text_after
    assert text_after.splitlines()[1:-1] == text_before.splitlines()[1:-2]
    assert record.stat().st_mode & 0o777 == 0o600


def test_damaged_records_and_those_of_other_hosts_are_left_alone(record, host, tmp_path):
    text = record.read_text()
    record.write_text(text.replace('"seat":0', '"seat":1', 1))
    with pytest.raises(RecordUntouchedError, match="is damaged"):
        give_pseudonym(record, {1}, "gone", host)
    record.write_text(f"no line of a record\n{text}")
    assert list(records_of(record.parent, "player 1", [], host)) == [(record, {1})]
    with pytest.raises(RecordUntouchedError, match="is damaged"):
        give_pseudonym(record, {1}, "gone", host)
    record.write_text(text)
    with pytest.raises(RecordUntouchedError, match="not signed by this host"):
        give_pseudonym(record, {1}, "gone", signing(tmp_path / "other_key"))
    assert record.read_text() == text
