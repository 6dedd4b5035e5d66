"""Two players who have played a match, each with a key, and their signatures of it."""

import json

import asyncssh

from core.records import attestation
from net.ssh.keys import signature_of, signed_bytes, signing
from net.wire.messages import Attest, MakeTable, Sit
from tests.net.party import Party

ADA, BELA = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))


def attest(key, chain, seat):
    raw = key.sign(signed_bytes(attestation(chain, seat)), key.sig_algorithms[0])
    return Attest(chain, *signature_of(key.public_data, raw))


def play_with_keys(tmp_path):
    """Let two players, each with a key, play a match to its end."""
    party = Party(signing=signing(tmp_path / "host_key"))
    party.come(1, "ada", ADA.get_fingerprint())
    party.come(2, "bela", BELA.get_fingerprint())
    party.say(1, MakeTable("draw", 2, {"target": 50}))
    party.say(2, Sit(party.update(1).table.id))
    party.play_out(1, 2)
    return party


def lines_of(party):
    return list(party.get_table().recorded.lines)


def chain_of(party):
    return json.loads(lines_of(party)[-1])["chain"]
