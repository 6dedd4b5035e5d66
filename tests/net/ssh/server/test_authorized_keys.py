"""The file of keys that may enter: its format, and the effect of changes."""

import asyncssh
import pytest

from net.ssh.keys import KeyFileError, ListedKeys
from tests.net.ssh.test_keys import BAD_LINES

KEYS = [asyncssh.generate_private_key("ssh-ed25519", f"friend {n}") for n in range(3)]
LINES = [key.export_public_key().decode() for key in KEYS]
PRINTS = [key.get_fingerprint() for key in KEYS]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "friends"


def test_every_key_is_listed_among_comments_and_empty_lines(file):
    file.write_text(f"# friends\n\n{LINES[0]}\n   {LINES[1]}")
    assert ListedKeys(file)() == {PRINTS[0], PRINTS[1]}


@pytest.mark.parametrize("algorithm", ["ecdsa-sha2-nistp256", "ssh-rsa"])
def test_keys_of_other_kinds_are_listed_too(file, algorithm):
    key = asyncssh.generate_private_key(algorithm)
    file.write_bytes(key.export_public_key())
    assert ListedKeys(file)() == {key.get_fingerprint()}


def test_a_friend_is_added_and_another_removed_while_the_host_runs(file):
    file.write_text(LINES[0])
    listed = ListedKeys(file)
    file.write_text(LINES[0] + LINES[1])
    assert listed() == {PRINTS[0], PRINTS[1]}
    (file.parent / "new").write_text(LINES[1])
    (file.parent / "new").rename(file)  # as editors write
    assert listed() == {PRINTS[1]}
    file.write_text("")
    assert listed() == set()


def test_a_file_that_becomes_invalid_changes_nothing_and_is_logged_once(file, caplog):
    file.write_text(LINES[0])
    listed = ListedKeys(file)
    file.write_text("no key\n")
    assert [listed(), listed()] == [{PRINTS[0]}] * 2
    file.unlink()
    assert [listed(), listed()] == [{PRINTS[0]}] * 2
    assert [record.getMessage() for record in caplog.records] == ["keys-not-read"] * 2
    file.write_text(LINES[1])
    assert listed() == {PRINTS[1]}


@pytest.mark.parametrize("line", [*BAD_LINES, "caf\xe9", "cert-authority ssh-ed25519 AAAA"])
def test_a_malformed_line_is_skipped_and_logged_with_its_number(file, caplog, line):
    file.write_bytes(f"{LINES[0]}{line}\n{LINES[1]}".encode("latin-1"))
    listed = ListedKeys(file)
    assert [listed(), listed()] == [{PRINTS[0], PRINTS[1]}] * 2
    assert [record.getMessage() for record in caplog.records] == ["keys-line-passed-over"]
    assert str(caplog.records[0].fields["reason"]).startswith(f"Line 2 of {file} ")


@pytest.mark.parametrize(
    "options", ['from="10.0.0.*"', "cert-authority", 'command="rm -rf /",no-pty', 'x="ssh-rsa" y']
)
def test_a_line_with_options_is_refused(file, options):
    file.write_text(f"# friends\n{options} {LINES[1]}")
    with pytest.raises(
        KeyFileError, match=r"^Line 2 of .*friends has options before the key, .*leave only the key\.$"
    ):
        ListedKeys(file)


@pytest.mark.parametrize(
    "text",
    [
        *BAD_LINES,
        "hello",
        "ssh-ed25519 AAAA",
        "-----BEGIN OPENSSH PRIVATE KEY-----",
        "ssh-ed25519-cert-v01@openssh.com AAAA",
    ],
)
def test_a_malformed_line_is_reported_with_its_number(file, text):
    file.write_text(f"# friends\n{text}\n")
    with pytest.raises(KeyFileError, match=r"^Line 2 of .*friends is not a public key; .*\.$"):
        ListedKeys(file)


def test_an_unreadable_file_is_reported_in_one_sentence(file):
    with pytest.raises(KeyFileError, match=r"^The keys in .*friends cannot be read: No such file or directory\.$"):
        ListedKeys(file)
