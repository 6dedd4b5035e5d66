"""A joined player's client checks the record of a match, saves it and signs it as a witness."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
from datetime import datetime

import asyncssh
import pytest
from msgspec.structs import replace

from core.fair import FairDeal, Share, commit
from core.records import Signature, Signing
from net.client import verify_match
from net.client.client import Client, Verification
from net.client.shares import DealKnowledge
from net.client.verify_match import ReceivedRecord, RecordVerifier, check_record, verify_record
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.ssh.client.connect import LoginKeys
from net.ssh.keys import signing
from net.ssh.server.listen import serve
from net.wire.link import memory_pair
from net.wire.messages import Entered, Greeting, MakeTable, Tables, Update
from tests.net.party import AT_LEISURE, quick
from tests.net.pledges import SHARES, party_with_known_secrets, play_with_shares
from tests.net.ssh_room import TIMEOUT, connect_link


class FairTable:
    """Two clients at a table over links in memory, each with its own share."""

    def __init__(self, group, tmp_path):
        self.host = Server(
            Lobby(Accounts(), new_secret=lambda: b"host", software="test", pace=AT_LEISURE, clock=quick)
        )
        self.clients = []
        self.proofs = asyncio.Queue()
        for name, byte in (("ada", 7), ("bela", 8)):
            ours, theirs = memory_pair()
            group.create_task(self.host.serve(theirs, Visitor(name, name)))
            client = Client(ours, "test", entropy=lambda size, byte=byte: bytes([byte]) * size)
            RecordVerifier(client, tmp_path / name)
            client.subscribe(lambda message, client=client: self.handle(client, message))
            self.clients.append(client)
            group.create_task(client.run())

    def handle(self, client, message):
        """Enter, sit down, and play the first legal action."""
        match message:
            case Greeting(name=name):
                client.enter(name)
            case Entered() if client is self.clients[0]:
                client.make_table(MakeTable("draw", 2, {"target": 50}))
            case Tables(tables=(table,), yours=-1) if table.phase == "waiting":
                client.sit(table.id)
            case Update(match=match) if match and match.play.legal:
                client.act(match.play.legal[0])
            case Update(match=match, ready=ready, seat=seat) if match and not match.over and match.play.result:
                if seat not in ready:
                    client.ready()
            case Verification():
                self.proofs.put_nowait(message)
                if self.proofs.qsize() == 2:
                    self.host.close()


class TableWithBotSeatTaken(FairTable):
    """The first client plays with a bot, whose seat the second takes once something has been played."""

    def handle(self, client, message):
        match message:
            case Entered() if client is self.clients[0]:
                client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
            case Tables(tables=(table,), yours=-1) if client is self.clients[1] and table.phase == "playing":
                client.sit(table.id)
            case Verification() if client is self.clients[0]:
                self.proofs.put_nowait(message)
                self.host.close()
            case Tables() | Verification():
                pass
            case _:
                super().handle(client, message)


async def test_a_match_with_a_guest_in_the_seat_of_a_bot_is_proven_for_the_first_player(tmp_path):
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        table = TableWithBotSeatTaken(group, tmp_path)

    assert table.proofs.get_nowait() == Verification()
    (record_file,) = (tmp_path / "ada").iterdir()
    lines = list(map(json.loads, record_file.read_text().splitlines()))
    assert lines[0]["seats"][1]["bot"], "the record tells who sat there when the match began"


async def test_every_client_adds_its_share_and_proves_the_record_at_the_end(tmp_path):
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        table = FairTable(group, tmp_path)

    assert [table.proofs.get_nowait() for _ in range(2)] == [Verification()] * 2
    (record_file,) = (tmp_path / "ada").iterdir()
    match_line, *_, secret_line, _seal = map(json.loads, record_file.read_text().splitlines())
    assert [share[1] for share in match_line["fair"]["shares"]] == [(bytes([n]) * 32).hex() for n in (7, 8)]
    assert secret_line["secret"] == b"host".hex()


def test_a_client_reports_broken_promises():
    table = play_with_shares(party_with_known_secrets())
    lines = list(table.recorded.lines)
    fair = FairDeal(commit(b"first secret"), tuple(Share(commit(raw), raw.hex()) for raw in SHARES[1:3]))

    assert check_record(lines, DealKnowledge(fair, 0, SHARES[1].hex())).problem == ""
    assert check_record(lines, None).problem == ""
    other_commitment = replace(fair, commitment=commit(b"other"))
    assert "something else" in check_record(lines, DealKnowledge(other_commitment, 0, SHARES[1].hex())).problem
    other_pledge = replace(fair, shares=(Share(commit(SHARES[3])), fair.shares[1]))
    assert "pledges are not" in check_record(lines, DealKnowledge(other_pledge, 0, SHARES[1].hex())).problem
    assert "left out" in check_record(lines, DealKnowledge(fair, 0, SHARES[3].hex())).problem
    assert "does not hold" in check_record(lines[:-1], None).problem


class Joined:
    """A host behind SSH, and a player who joins it and plays a match against a bot."""

    def __init__(self, tmp_path, sign=None):
        checks = signing(tmp_path / "data/host_key")
        self.lobby = Lobby(
            Accounts(),
            new_secret=lambda: b"host",
            software="test",
            pace=AT_LEISURE,
            clock=quick,
            signing=Signing(sign or checks.sign, checks.check),
        )
        self.host = WitnessServer(self)
        self.login = LoginKeys()
        self.proof = None
        """The verification of the match, once it is over."""
        self.witnessed = asyncio.Event()

    async def on_link(self, identity, link):
        await self.host.serve(link, Visitor("ada", identity.key or ""))

    async def on_terminal(self, identity, terminal):
        pass

    async def play(self, tmp_path, **options):
        async with (
            serve("127.0.0.1", 0, tmp_path / "data/host_key", self.on_terminal, self.on_link) as server,
            connect_link(server, tmp_path, login=self.login, **options) as link,
        ):
            client = Client(link, "test", entropy=os.urandom)
            verifier = RecordVerifier(client, tmp_path / "records", self.login)
            client.subscribe(lambda message: self.handle(client, message))
            running = asyncio.create_task(client.run())
            async with asyncio.timeout(TIMEOUT):
                await self.witnessed.wait()
                await verifier._tasks.wait()
            running.cancel()
        self.host.close()

    def handle(self, client, message):
        match message:
            case Greeting():
                client.enter("ada")
            case Entered():
                client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
            case Update(match=match) if match and match.play and match.play.legal:
                client.act(match.play.legal[0])
            case Update(match=match, ready=ready) if match and not match.over and match.play.result and not ready:
                client.ready()
            case Verification():
                self.proof = message
                if message.problem or not self.login._pair:
                    self.witnessed.set()

    @property
    def lines(self):
        (table,) = self.lobby.tables.values()
        return list(table.recorded.lines)


class WitnessServer(Server):
    """A server that reports when a witness signature has arrived."""

    def __init__(self, joined):
        super().__init__(joined.lobby)
        self._joined = joined

    def apply_effects(self, effects):
        super().apply_effects(effects)
        if any('"witness"' in line for change in effects.changes for line in change.lines):
            self._joined.witnessed.set()


def own_copy(tmp_path):
    (file,) = (tmp_path / "records").iterdir()
    return file.read_text().splitlines()


async def test_a_joined_player_testifies_with_the_key_of_the_login(tmp_path):
    joined = Joined(tmp_path)
    await joined.play(tmp_path)

    key = asyncssh.read_private_key(tmp_path / "mine/key").get_fingerprint()
    assert joined.proof.problem == ""
    verdict = verify_record(joined.lines, joined.login.check)
    assert verdict.witnesses == {("ada", 0, key): 1}
    assert verdict.signers == {joined.login.host: 1}
    assert own_copy(tmp_path) == joined.lines


async def test_the_key_of_the_login_signs_if_there_are_several(tmp_path):
    paths = []
    for name in ("id_ed25519", "id_rsa"):
        paths.append(tmp_path / name)
        asyncssh.generate_private_key("ssh-rsa" if "rsa" in name else "ssh-ed25519").write_private_key(paths[-1])
    joined = Joined(tmp_path)
    await joined.play(tmp_path, keys=paths[::-1])

    ((_, _, key),) = verify_record(joined.lines, joined.login.check).witnesses
    assert key == asyncssh.read_private_key(paths[1]).get_fingerprint()


@pytest.mark.skipif(shutil.which("ssh-agent") is None, reason="there is no ssh-agent")
async def test_a_key_in_an_agent_signs_too(tmp_path):
    path, socket = tmp_path / "id_ed25519", str(tmp_path / "agent")
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(path)
    path.chmod(0o600)
    said = subprocess.run(["ssh-agent", "-a", socket], capture_output=True, text=True, check=True).stdout  # noqa: ASYNC221
    agent = int(re.search(r"SSH_AGENT_PID=(\d+)", said)[1])
    try:
        async with asyncssh.SSHAgentClient(socket) as client:
            await client.add_keys([key])
        joined = Joined(tmp_path)
        await joined.play(tmp_path, agent=socket)
    finally:
        os.kill(agent, signal.SIGTERM)

    ((_, _, signer),) = verify_record(joined.lines, joined.login.check).witnesses
    assert signer == key.get_fingerprint()


async def test_a_record_without_the_signature_of_the_host_is_reported(tmp_path):
    joined = Joined(tmp_path, sign=lambda _: Signature())
    await joined.play(tmp_path)

    assert "not signed with the key of this host" in joined.proof.problem
    assert not any('"witness"' in line for line in own_copy(tmp_path))


@pytest.mark.parametrize(("limit", "maximum"), [("MAX_LINES", 3), ("MAX_RECORD", 3 * 5)])
def test_a_host_cannot_fill_the_memory_of_a_player_with_a_record(monkeypatch, limit, maximum):
    monkeypatch.setattr(verify_match, limit, maximum)
    received = ReceivedRecord()
    received.add(("lines", "éé-"))
    received.add(("lines", "more of it", ""))
    received.add(("", "no"))

    assert received.lines == ["lines", "éé-", "lines"]


def test_records_have_different_names_while_the_clock_stands_still(tmp_path, monkeypatch):
    stopped_clock = type("StoppedClock", (), {"now": staticmethod(lambda zone: datetime(2026, 1, 31, tzinfo=zone))})
    monkeypatch.setattr("net.client.verify_match.datetime", stopped_clock)
    verifier = RecordVerifier(Client(memory_pair()[0], "test"), tmp_path)

    assert len({verifier._write_file(suffix, ["{}"]) for suffix in ("", "", "-evidence", "-evidence")}) == 4
    assert len(list(tmp_path.iterdir())) == 4
