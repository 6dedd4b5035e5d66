"""A joined player's client detects hosts that cheat, at once or from the record, and saves the evidence."""

import asyncio
from random import Random

import asyncssh
import pytest

import net.client.verify_match
from core.words import Illegal, words
from net.client.client import Client, Verification
from net.client.shares import MAX_LINE_LENGTH, EvidenceError, read_evidence
from net.client.verify_match import RecordVerifier, replay_evidence
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.ssh.client.connect import LoginKeys
from net.ssh.keys import signing
from net.table import transitions
from net.wire.link import memory_pair
from net.wire.messages import Entered, Greeting, MakeTable, Update
from tests.cheats import CHEATS
from tests.net.party import AT_LEISURE, quick
from tui.records.reader import lines_of

ACCUSATIONS = {
    "strip": "the host left out your program's pledge",
    "switch": "the host changed its secret after your share was shown",
    "switch_late": "the host changed its secret after your share was shown",
    "switch_unseen": "the host committed to something else",
    "forge": "the record's result is not that of the match",
    "skip": "the tiles were dealt before your share was shown",
    "drop": "the tiles were dealt without your share",
    "swap": "the host changed pledges after your share was shown",
    "rules": "the rules changed after your share was shown",
    "silence": net.client.verify_match.NO_RECORD,
    "unsigned": "the record is not signed with the key of this host",
}


class Victim:
    """A player who plays a match against a bot of the host, to its end."""

    def __init__(self, tmp_path):
        self.chance = Random("fair and forged")  # with other shares, a forged result could be true by chance
        self.login = LoginKeys()
        key = asyncssh.generate_private_key("ssh-ed25519")
        host = signing(tmp_path / "host_key")
        self.login.record_login(asyncssh.load_keypairs([key])[0], asyncssh.read_private_key(tmp_path / "host_key"))
        self.key = key.get_fingerprint()
        lobby = Lobby(
            Accounts(),
            new_secret=lambda: self.chance.randbytes(32),
            software="test",
            clock=quick,
            pace=AT_LEISURE,
            signing=host,
        )
        self.host = Server(lobby)
        self.folder = tmp_path / "records"
        self.proofs = []
        self.is_over = False
        self.judged = asyncio.Event()
        """Set once the match is over and evidence of a problem exists."""

    async def play(self):
        ours, theirs = memory_pair()
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            group.create_task(self.host.serve(theirs, Visitor("ada", self.key)))
            client = Client(ours, "test", entropy=self.chance.randbytes)
            verifier = RecordVerifier(client, self.folder, self.login)
            client.subscribe(lambda message: self.handle(client, message))
            group.create_task(client.run())
            await self.judged.wait()
            await verifier._tasks.wait()
            self.host.close()
        return self.proofs

    def handle(self, client, message):
        match message:
            case Greeting():
                client.enter("ada")
            case Entered():
                client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
            case Update(match=match) if match and match.over:
                self.is_over = True
            case Update(match=match) if match and match.play.legal:
                client.act(match.play.legal[0])
            case Update(match=match, ready=ready) if match and match.play.result and not ready:
                client.ready()
            case Verification():
                self.proofs.append(message)
                if self.is_over:
                    self.judged.set()


@pytest.mark.parametrize("cheat", CHEATS)
async def test_a_cheating_host_is_reported_and_the_evidence_is_saved(cheat, monkeypatch, tmp_path):
    monkeypatch.setattr(net.client.verify_match, "RECORD_TIMEOUT", 0.5)
    CHEATS[cheat](monkeypatch.setattr)
    victim = Victim(tmp_path)
    proofs = await victim.play()

    assert proofs
    assert {proof.problem for proof in proofs} == {ACCUSATIONS[cheat]}
    for proof in proofs:
        lines = lines_of(proof.evidence and tmp_path / proof.evidence, MAX_LINE_LENGTH)
        evidence = read_evidence(lines, victim.login.check)
        assert evidence.accusation.host == victim.login.host
        assert evidence.signer == victim.key
        assert replay_evidence(evidence, victim.login).problem == ("" if cheat == "silence" else ACCUSATIONS[cheat])


@pytest.mark.parametrize("cheat", ["strip", "switch", "skip", "drop", "swap", "rules"])
async def test_cheating_before_the_first_tile_is_reported_at_once(cheat, monkeypatch, tmp_path):
    CHEATS[cheat](monkeypatch.setattr)
    victim = Victim(tmp_path)
    play_on = victim.handle
    reported = asyncio.Event()

    def watch_accusations(client, message):
        if isinstance(message, Verification):
            reported.set()
            victim.judged.set()
        elif not (isinstance(message, Update) and message.match):
            play_on(client, message)  # the victim does not play a tile

    victim.handle = watch_accusations
    await victim.play()

    assert reported.is_set()


async def test_an_honest_host_is_reported_as_honest(tmp_path):
    victim = Victim(tmp_path)

    assert await victim.play() == [Verification()]
    assert [path.name.endswith("evidence.jsonl") for path in victim.folder.iterdir()] == [False]


async def test_a_host_that_is_too_busy_for_the_record_is_asked_again(monkeypatch, tmp_path):
    monkeypatch.setattr(net.client.verify_match, "RECORD_TIMEOUT", 0.5)
    recall, guests_asked = transitions.recall, []

    def refuse_first(table, guest):
        guests_asked.append(guest)
        if len(guests_asked) == 1:
            raise Illegal(words("You are changing tables too fast; wait a moment."))
        return recall(table, guest)

    monkeypatch.setattr(transitions, "recall", refuse_first)

    assert await Victim(tmp_path).play() == [Verification()]


async def test_changed_evidence_is_refused(monkeypatch, tmp_path):
    CHEATS["forge"](monkeypatch.setattr)
    victim = Victim(tmp_path)
    (proof,) = await victim.play()
    lines = list(lines_of(tmp_path / proof.evidence, MAX_LINE_LENGTH))

    for index in range(0, len(lines), 7):
        changed_lines = [*lines[:index], lines[index].replace("1", "2", 1), *lines[index + 1 :]]
        if changed_lines != lines:
            with pytest.raises(EvidenceError):
                read_evidence(changed_lines, victim.login.check)
    for malformed_lines in (lines[1:], [], [*lines, lines[-1]], [*lines[:-1], "{}"], ["[" * 100_000]):
        with pytest.raises(EvidenceError):
            read_evidence(malformed_lines, victim.login.check)
    assert read_evidence(lines[:-1], victim.login.check).signer == ""
