"""Keys on disk: made once, readable by their owner alone; and the known hosts of a player."""

import base64
import os
import stat
import subprocess

import asyncssh
import pytest
from asyncssh.packet import MPInt, String

from net.ssh.keys import (
    BadKeyError,
    KeyFileError,
    KnownHosts,
    derive_ecdsa_key,
    load_or_create_key,
    public_key,
    usable_keys,
)

HOST, OTHER = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))


def public_line(algorithm, *parts):
    """Return a public key made of `parts`, in OpenSSH's format."""
    return f"{algorithm} {base64.b64encode(b''.join([String(algorithm), *parts])).decode()}"


BAD_LINES = [
    public_line("ssh-rsa", MPInt(3), MPInt(0)),
    public_line("ssh-rsa", MPInt(1), MPInt(77)),
    public_line("ssh-rsa", MPInt(-3), MPInt(-77)),
    public_line("ssh-dss", *[MPInt(1)] * 4),
    public_line("ecdsa-sha2-nistp256", String("nistp256"), String(b"\x04" + b"\1" * 64)),
    "ssh-ed25519 AAAA",
    "hello",
]
"""Invalid keys: impossible numbers, and truncated data."""


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def key_error(action, *args):
    """Return the sentence of the error that `action(*args)` raises."""
    with pytest.raises(KeyFileError) as error:
        action(*args)
    return str(error.value)


def test_a_key_is_made_once_and_kept(tmp_path):
    path = tmp_path / "mine" / "key"
    key = load_or_create_key(path, "a player")

    assert load_or_create_key(path, "a player").get_fingerprint() == key.get_fingerprint()
    assert key.get_algorithm() == "ssh-ed25519"
    assert os.listdir(path.parent) == ["key"]


def test_a_key_and_the_folder_made_for_it_are_for_their_owner_alone(tmp_path):
    umask_before = os.umask(0)
    try:
        load_or_create_key(tmp_path / "mine" / "key", "a player")
    finally:
        os.umask(umask_before)

    assert mode(tmp_path / "mine") == 0o700
    assert mode(tmp_path / "mine" / "key") == 0o600


def test_of_two_simultaneous_writers_of_a_key_one_wins_and_both_have_it(tmp_path, monkeypatch):
    path = tmp_path / "key"
    generate = asyncssh.generate_private_key

    def generate_too_late(*args):
        OTHER.write_private_key(path)
        return generate(*args)

    monkeypatch.setattr(asyncssh, "generate_private_key", generate_too_late)

    assert load_or_create_key(path, "a player").get_fingerprint() == OTHER.get_fingerprint()
    assert os.listdir(tmp_path) == ["key"]


def test_a_damaged_key_is_reported_and_not_replaced(tmp_path):
    path = tmp_path / "key"
    path.write_text("-----BEGIN NONSENSE-----")

    assert key_error(load_or_create_key, path, "") == (
        f"The key file {path} is damaged; restore it, or remove it to get a new key."
    )
    assert path.read_text() == "-----BEGIN NONSENSE-----"


@pytest.mark.parametrize("file_format", ["openssh", "pkcs8"])
def test_a_key_with_a_passphrase_is_refused_with_the_command_that_removes_it(tmp_path, file_format):
    path = tmp_path / "my key"
    if file_format == "openssh":
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", path], check=True)
    else:
        OTHER.write_private_key(path, "pkcs8-pem", passphrase="secret")
    bytes_before = path.read_bytes()

    assert key_error(load_or_create_key, path, "") == (
        f"The key file {path} has a passphrase, which cannot be typed here; "
        f"remove the passphrase with: ssh-keygen -p -N '' -f '{path}'"
    )
    assert path.read_bytes() == bytes_before


def test_an_unreadable_key_is_reported_with_the_reason(tmp_path):
    assert key_error(load_or_create_key, tmp_path, "") == f"The key file {tmp_path} cannot be used: Is a directory."


def test_a_players_existing_keys_without_passphrase_are_used(tmp_path):
    plain, locked = tmp_path / "plain", tmp_path / "locked"
    HOST.write_private_key(plain)
    OTHER.write_private_key(locked, "pkcs8-pem", passphrase="secret")
    (tmp_path / "junk").write_text("junk")

    keys = usable_keys([tmp_path / "none", locked, tmp_path / "junk", plain])

    assert [key.get_fingerprint() for key in keys] == [HOST.get_fingerprint()]


@pytest.fixture
def known(tmp_path):
    return KnownHosts(tmp_path / "mine" / "known_hosts")


def fingerprints(known, host="example.org", port=2222):
    return [key.get_fingerprint() for key in known.keys_of(host, port)]


def test_a_host_never_met_has_no_key(known):
    assert fingerprints(known) == []
    assert known.host_with_key(HOST.get_fingerprint()) == ""


def test_a_host_is_known_by_its_name_and_port_together(known):
    known.remember("example.org", 2222, HOST)
    known.remember("example.org", 2223, OTHER)

    assert fingerprints(known) == [HOST.get_fingerprint()]
    assert fingerprints(known, port=2223) == [OTHER.get_fingerprint()]
    assert fingerprints(known, port=22) == fingerprints(known, "elsewhere.org") == []
    assert known.host_with_key(OTHER.get_fingerprint()) == "[example.org]:2223"


def test_a_file_without_a_final_newline_loses_nothing(known):
    known.remember("example.org", 2222, HOST)
    known.path.write_bytes(known.path.read_bytes().rstrip(b"\n"))
    known.remember("example.net", 2222, OTHER)

    assert fingerprints(known) == [HOST.get_fingerprint()]
    assert fingerprints(known, "example.net") == [OTHER.get_fingerprint()]


@pytest.mark.parametrize("line", BAD_LINES)
def test_every_invalid_key_is_reported_in_the_same_way(line):
    with pytest.raises(BadKeyError):
        public_key(line)


@pytest.mark.parametrize(
    "line",
    [*(f"[bad.example]:2222 {line}" for line in BAD_LINES), "nonsense", "@mine a b", "|1|a|b ssh-rsa x", "\xff"],
)
def test_a_malformed_line_is_skipped_and_reported_with_its_number(known, line):
    known.remember("example.org", 2222, HOST)
    known.path.write_bytes(f"# mine\n\n{line}\n".encode("latin-1") + known.path.read_bytes())

    assert known.host_with_key(HOST.get_fingerprint()) == "[example.org]:2222"
    assert fingerprints(known) == [HOST.get_fingerprint()]
    assert known.damage_reports() == [f"Line 3 of {known.path} is not a host and its key; it was passed over."]


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_host_whose_line_is_damaged_is_not_treated_as_new(known, line):
    known.remember("example.net", 2222, OTHER)
    known.path.write_bytes(known.path.read_bytes() + f"[example.org]:2222,[::1]:2222 {line}\n".encode())

    assert key_error(known.keys_of, "example.org", 2222) == (
        f"Line 2 of {known.path}, about example.org, is damaged; correct or remove it."
    )
    assert fingerprints(known, "example.net") == [OTHER.get_fingerprint()]


def test_an_unusable_file_of_hosts_is_reported_with_the_reason(tmp_path):
    known = KnownHosts(tmp_path)

    assert key_error(known.keys_of, "example.org", 2222) == f"The file {tmp_path} cannot be read: Is a directory."
    assert key_error(known.remember, "example.org", 2222, HOST) == (
        f"The file {tmp_path} cannot be written: Is a directory."
    )


SEED = """-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
-----END PRIVATE KEY-----
"""


def test_the_ecdsa_key_of_a_host_is_always_derived_from_its_own_in_the_same_way():
    key = asyncssh.import_private_key(SEED)
    assert derive_ecdsa_key(key).get_algorithm() == "ecdsa-sha2-nistp256"
    assert derive_ecdsa_key(key).get_fingerprint() == "SHA256:/FYb9kxziZWIpvgTVoG8ag9ARKf/wu5jQsT1LeektEY"
    assert derive_ecdsa_key(HOST).get_fingerprint() != derive_ecdsa_key(OTHER).get_fingerprint()


def test_a_key_that_every_client_knows_has_no_ecdsa_key_beside_it():
    assert derive_ecdsa_key(asyncssh.generate_private_key("ecdsa-sha2-nistp256")) is None
