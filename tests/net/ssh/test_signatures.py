"""Signatures of records: OpenSSH's ssh-keygen accepts ours, we accept its, and any changed letter is detected."""

import base64
import shutil
import subprocess

import asyncssh
import pytest

from core.records import Signature
from net.ssh.keys import NAMESPACE, armour, fingerprint_of, signature_of, signed_bytes, signing
from tests.net.ssh.test_keys import BAD_LINES

STATEMENT = b"boneyard record\nchain 00\n"
ALGORITHMS = ["ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"]
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")


def run_keygen(*words, stdin=b""):
    return subprocess.run(["ssh-keygen", *map(str, words)], input=stdin, capture_output=True, check=False)


@pytest.fixture(params=ALGORITHMS)
def key(request, tmp_path):
    key = asyncssh.generate_private_key(request.param)
    key.write_private_key(tmp_path / "host_key")
    (tmp_path / "host_key").chmod(0o600)
    return key


@needs_ssh_keygen
def test_ssh_keygen_accepts_our_signatures(key, tmp_path):
    signature = signing(tmp_path / "host_key").sign(STATEMENT)
    (tmp_path / "sig").write_text(armour(signature))
    (tmp_path / "allowed").write_text(f"the-host {signature.key}\n")
    common = ("-n", NAMESPACE.decode(), "-s", tmp_path / "sig")

    run = run_keygen("-Y", "check-novalidate", *common, stdin=STATEMENT)
    assert run.returncode == 0, run.stderr
    assert key.get_fingerprint() in run.stdout.decode()
    verify = ("-Y", "verify", "-f", tmp_path / "allowed", "-I", "the-host")
    assert run_keygen(*verify, *common, stdin=STATEMENT).returncode == 0
    assert run_keygen(*verify, *common, stdin=STATEMENT + b"x").returncode != 0
    other_namespace = ("-n", "file", "-s", tmp_path / "sig")
    assert run_keygen(*verify, *other_namespace, stdin=STATEMENT).returncode != 0, (
        "another namespace is another signature"
    )


@needs_ssh_keygen
def test_signatures_of_ssh_keygen_verify(key, tmp_path):
    (tmp_path / "text").write_bytes(STATEMENT)
    completed = run_keygen("-Y", "sign", "-n", NAMESPACE.decode(), "-f", tmp_path / "host_key", tmp_path / "text")
    assert completed.returncode == 0, completed.stderr
    rows = (tmp_path / "text.sig").read_text().split("\n")
    public = key.export_public_key().decode().split()
    signature = Signature(" ".join(public[:2]), "".join(rows[1:-2]))

    assert fingerprint_of(STATEMENT, signature) == key.get_fingerprint()
    assert fingerprint_of(STATEMENT + b"x", signature) == ""


def test_our_signatures_verify_for_the_signed_bytes_only(key, tmp_path):
    sign, check = signing(tmp_path / "host_key")
    signature = sign(STATEMENT)

    assert check(STATEMENT, signature) == key.get_fingerprint()
    assert check(b"", signature) == ""
    assert check(STATEMENT, Signature()) == ""


def test_a_key_or_signature_with_any_letter_changed_is_invalid(tmp_path):
    signature = signing(tmp_path / "host_key").sign(STATEMENT)

    for field in Signature._fields:
        text = getattr(signature, field)
        for index in range(len(text)):
            for letter in "AB/+= -\n\x00é":
                changed = signature._replace(**{field: text[:index] + letter + text[index + 1 :]})
                assert changed == signature or fingerprint_of(STATEMENT, changed) == ""
            assert fingerprint_of(STATEMENT, signature._replace(**{field: text[:index]})) == ""
        for suffix in ("=", "A", "AAAA", " ", "\n", " comment"):
            assert fingerprint_of(STATEMENT, signature._replace(**{field: text + suffix})) == ""


def test_a_signature_by_another_key_is_invalid(tmp_path):
    signature = signing(tmp_path / "mine").sign(STATEMENT)
    other_signature = signing(tmp_path / "theirs").sign(STATEMENT)

    assert fingerprint_of(STATEMENT, Signature(signature.key, other_signature.signature)) == ""


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"SSHSIG",
        b"SSHSIG\0\0\0\2",
        b"SSHSIG\0\0\0\1" + b"\xff" * 40,
        b"SSHSIG\0\0\0\1" + b"\0" * 20,
        b"\0" * 12_000,
    ],
)
def test_malformed_signatures_are_invalid(blob, tmp_path):
    key = signing(tmp_path / "host_key").sign(STATEMENT).key

    assert fingerprint_of(STATEMENT, Signature(key, base64.b64encode(blob).decode())) == ""


def test_a_signature_with_another_hash_is_invalid(tmp_path):
    key = asyncssh.generate_private_key("ssh-ed25519")
    good = signature_of(key.public_data, key.sign(signed_bytes(STATEMENT), b"ssh-ed25519"))
    blob = base64.b64decode(good.signature).replace(b"sha512", b"sha1!!")

    assert fingerprint_of(STATEMENT, good) == key.get_fingerprint()
    assert fingerprint_of(STATEMENT, good._replace(signature=base64.b64encode(blob).decode())) == ""


@pytest.mark.parametrize("key", [*BAD_LINES, "", " ", "ssh-ed25519", "x" * 100_000, "ssh-dss AAAAB3NzaC1kc3M="])
def test_an_invalid_key_signs_nothing(key, tmp_path):
    signature = signing(tmp_path / "host_key").sign(STATEMENT)

    assert fingerprint_of(STATEMENT, signature._replace(key=key)) == ""
