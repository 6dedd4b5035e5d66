"""Witnesses: who saw a match whole signs its record with his own key, and nobody else can in his name."""

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

from core.actions import Dealt
from core.records import referee, write
from core.seals import Signature, Signing, attestation, sealed
from net.client.client import Client, Proof
from net.client.observed import Seen
from net.client.verdict import judge
from net.client.verify_match import Prover, examined
from net.host.lobby import Lobby, Visitor
from net.host.server import House
from net.players.accounts import Register
from net.ssh.client.login import Login
from net.ssh.server.listen import serve
from net.ssh.signatures import signature_of, signing, to_be_signed
from net.wire.link import memory_pair
from net.wire.messages import Attest, Greeting, Leave, MakeTable, Ready, Sit, Tables, Update
from tests.net.party import AT_LEISURE, Party, quick
from tests.net.ssh_room import PATIENCE, joining

ADA, BELA = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))


def word(key, chain, seat):
    raw = key.sign(to_be_signed(attestation(chain, seat)), key.sig_algorithms[0])
    return Attest(chain, *signature_of(key.public_data, raw))


@pytest.fixture
def party(tmp_path):
    """Two have played a match to its end, each with a key."""
    party = Party(signing=signing(tmp_path / "host_key"))
    party.come(1, "ada", ADA.get_fingerprint())
    party.come(2, "bela", BELA.get_fingerprint())
    party.say(1, MakeTable("draw", 2, {"target": 50}))
    party.say(2, Sit(party.update(1).table.id))
    party.play_out(1, 2)
    return party


def lines_of(party):
    return next(iter(party.lobby.tables.values()))._play.lines


def chain_of(party):
    return json.loads(lines_of(party)[-1])["chain"]


def check_of(tmp_path):
    return signing(tmp_path / "host_key").check


def test_the_record_of_a_house_is_signed_by_it_and_its_players_bear_witness(party, tmp_path):
    chain = chain_of(party)
    assert party.say(2, word(BELA, chain, 1)) == []
    assert party.say(1, word(ADA, chain, 0)) == []

    verdict = judge(lines_of(party), check_of(tmp_path))
    key = asyncssh.read_private_key(tmp_path / "host_key").get_fingerprint()
    assert verdict.signers == {key: 1}
    assert set(verdict.witnesses) == {("bela", 1, BELA.get_fingerprint()), ("ada", 0, ADA.get_fingerprint())}


@pytest.mark.parametrize(
    "said",
    [
        lambda chain: word(BELA, chain, 0),  # another's key
        lambda chain: word(ADA, chain, 1),  # another's seat
        lambda chain: word(ADA, "0" * 64, 0),  # another record
        lambda chain: Attest(chain, "", ""),
        lambda chain: Attest("", "", ""),
        lambda chain: replace(word(ADA, chain, 0), signature=word(BELA, chain, 0).signature),
        lambda chain: replace(word(ADA, chain, 0), key="x" * 60_000),
    ],
)
def test_what_is_not_ones_own_word_on_this_record_changes_nothing(party, said):
    before = list(lines_of(party))

    assert party.say(1, said(chain_of(party))) == []
    assert lines_of(party) == before


def test_nobody_bears_witness_twice_or_without_a_seat_or_before_the_end_or_too_late(party):
    chain = chain_of(party)
    party.say(1, word(ADA, chain, 0))
    party.say(1, word(ADA, chain, 0))
    assert len([line for line in lines_of(party) if '"witness"' in line]) == 1
    table = next(iter(party.lobby.tables))
    party.say(2, Leave())
    party.say(2, word(BELA, chain, 1))
    party.say(2, Sit(table))
    for number in (1, 2):
        party.say(number, Ready())
    assert party.update(1).match.round == 1
    party.say(2, word(BELA, chain, 1))

    assert not any('"witness"' in line for line in lines_of(party))


def test_who_has_no_key_bears_no_witness():
    party = Party(signing=Signing(check=lambda statement, signature: ""))
    party.come(1, "carol")
    party.come(2, "dora")
    party.say(1, MakeTable("draw", 2, {"target": 50}))
    party.say(2, Sit(party.update(1).table.id))
    party.play_out(1, 2)
    before = list(lines_of(party))
    party.say(1, word(ADA, chain_of(party), 0))

    assert lines_of(party) == before


def test_a_witness_is_new_to_the_record_and_has_it_published_again(party):
    table = next(iter(party.lobby.tables.values()))
    table.take()
    party.say(1, word(ADA, chain_of(party), 0))
    change = table.take()

    assert [json.loads(line)["type"] for line in change.lines] == ["witness"]
    assert change.ends
    assert not change.begins


# What a client saw, and what it makes of a record.


@pytest.fixture
def seen(party):
    """What ada's client saw."""
    seen = Seen()
    for message in party.heard[1]:
        if isinstance(message, Update):
            seen.hear(message)
    return seen


def resealed(lines):
    return [*lines, write(sealed(lines))]


def test_the_honest_record_is_as_it_was_seen(party, seen):
    found = examined(lines_of(party), None, seen)

    assert found.problem == ""
    assert found.chain == chain_of(party)
    assert seen.whole
    assert seen.seat == 0


def test_a_record_with_other_names_options_moves_or_results_is_not_what_was_seen(party, seen):
    lines = lines_of(party)[:-1]
    renamed = resealed([lines[0].replace('"bela"', '"eve"'), *lines[1:]])
    assert "other players" in examined(renamed, None, seen).problem
    changed = resealed([lines[0].replace('"draw.reserve":0', '"draw.reserve":1'), *lines[1:]])
    assert examined(changed, None, seen).problem
    other = Party(seeds=lambda: b"another match")
    other.come(1, "ada")
    other.come(2, "bela")
    other.say(1, MakeTable("draw", 2, {"target": 50}))
    other.say(2, Sit(1))
    other.play_out(1, 2)
    assert "the record has other" in examined(resealed(lines_of(other)[:-1]), None, seen).problem or (
        "another result" in examined(resealed(lines_of(other)[:-1]), None, seen).problem
    )


def test_another_legal_action_of_no_consequence_is_not_what_was_seen(party, seen):
    lines = lines_of(party)[:-1]
    tried = 0
    match = None
    for at, step in enumerate(referee(lines_of(party))):
        if '"action"' in lines[min(at, len(lines) - 1)] and match is not None:
            for action in match.legal:
                if action != getattr(step.line, "action", action):
                    other = resealed([*lines[:at], write(replace(step.line, action=action)), *lines[at + 1 :]])
                    tried += 1
                    assert examined(other, None, seen).problem
        match = step.match
    assert tried


def test_of_a_match_that_was_missed_in_part_only_the_end_is_compared(party):
    updates = [message for message in party.heard[1] if isinstance(message, Update)]
    seen = Seen()
    for update in [*updates[:5], *updates[8:]]:
        seen.hear(update)

    assert not seen.whole
    assert examined(lines_of(party), None, seen).problem == ""
    over = replace(updates[-1].match, scores=tuple(score + 1 for score in updates[-1].match.scores))
    seen.hear(replace(updates[-1], number=updates[-1].number + 1, match=over))
    assert "another result" in examined(lines_of(party), None, seen).problem


def test_an_update_that_is_told_twice_is_heard_once(party):
    updates = [message for message in party.heard[1] if isinstance(message, Update)]
    seen = Seen()
    for update in updates:
        seen.hear(update)
        seen.hear(replace(update, events=()))

    assert any(event == Dealt(1) for update in updates for event in update.events)
    assert seen.whole
    assert examined(lines_of(party), None, seen).problem == ""


# With real keys over a real line.


class Joined:
    """A host behind SSH, and one who joins it and plays a match against a bot."""

    def __init__(self, tmp_path, sign=None):
        checks = signing(tmp_path / "data/host_key")
        self.lobby = Lobby(
            Register(),
            seeds=lambda: b"host",
            software="test",
            pace=AT_LEISURE,
            clock=quick,
            signing=Signing(sign or checks.sign, checks.check),
        )
        self.house = House(self.lobby)
        self.login = Login()
        self.proof = None
        self.witnessed = asyncio.Event()
        self.lobby.changed = Noted(self)

    async def on_link(self, identity, link):
        await self.house.attend(
            link,
            Visitor(
                "ada",
                identity.key or "",
                "",
                "",
            ),
        )

    async def on_terminal(self, identity, terminal):
        pass

    async def play(self, tmp_path, **options):
        async with (
            serve("127.0.0.1", 0, tmp_path / "data/host_key", self.on_terminal, self.on_link) as server,
            joining(server, tmp_path, login=self.login, **options) as link,
        ):
            client = Client(link, "test", entropy=os.urandom)
            prover = Prover(client, tmp_path / "records", self.login)
            client.listen(lambda message: self.hear(client, message))
            running = asyncio.create_task(client.run())
            async with asyncio.timeout(PATIENCE):
                await self.witnessed.wait()
                await asyncio.gather(*prover._tasks)
            running.cancel()
        self.house.close()

    def hear(self, client, message):
        match message:
            case Greeting():
                client.enter("ada")
            case Tables(tables=()):
                client.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
            case Update(match=match) if match and match.play and match.play.legal:
                client.act(match.play.legal[0])
            case Update(match=match, ready=ready) if match and not match.over and match.play.result and not ready:
                client.ready()
            case Proof():
                self.proof = message
                if message.problem or not self.login._pair:
                    self.witnessed.set()

    @property
    def lines(self):
        (table,) = self.lobby.tables.values()
        return table._play.lines


class Noted(set):
    """The tables that changed, with a look at whether a witness has come."""

    def __init__(self, joined):
        super().__init__()
        self._joined = joined

    def clear(self):
        super().clear()
        if any('"witness"' in line for table in self._joined.lobby.tables.values() for line in table._play.lines):
            self._joined.witnessed.set()


def own_copy(tmp_path):
    (file,) = (tmp_path / "records").iterdir()
    return file.read_text().splitlines()


async def test_a_joined_player_bears_witness_with_the_key_he_came_with(tmp_path):
    joined = Joined(tmp_path)
    await joined.play(tmp_path)

    key = asyncssh.read_private_key(tmp_path / "mine/key").get_fingerprint()
    assert joined.proof.problem == ""
    verdict = judge(joined.lines, joined.login.check)
    assert verdict.witnesses == {("ada", 0, key): 1}
    assert verdict.signers == {joined.login.host: 1}
    assert own_copy(tmp_path) == joined.lines


async def test_of_several_keys_the_one_that_was_taken_signs(tmp_path):
    paths = []
    for name in ("id_ed25519", "id_rsa"):
        paths.append(tmp_path / name)
        asyncssh.generate_private_key("ssh-rsa" if "rsa" in name else "ssh-ed25519").write_private_key(paths[-1])
    joined = Joined(tmp_path)
    await joined.play(tmp_path, keys=paths[::-1])

    ((_, _, key),) = judge(joined.lines, joined.login.check).witnesses
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

    ((_, _, signer),) = judge(joined.lines, joined.login.check).witnesses
    assert signer == key.get_fingerprint()


async def test_a_host_that_signs_with_another_key_or_not_at_all_is_found_out(tmp_path):
    joined = Joined(tmp_path, sign=lambda _: Signature())
    await joined.play(tmp_path)

    assert "not signed with the key of this host" in joined.proof.problem
    assert not any('"witness"' in line for line in own_copy(tmp_path))


def test_tiles_that_were_shown_otherwise_than_the_record_has_them_are_noticed_even_after_a_gap(party):
    updates = [message for message in party.heard[1] if isinstance(message, Update)]
    at = next(at for at, update in enumerate(updates) if at > 6 and update.match and len(update.match.play.hand) > 1)
    hand = updates[at].match.play.hand
    other = tuple(sorted({(6, 6), (5, 5), (4, 4)} - set(hand)))[:1] + hand[1:]
    match = replace(updates[at].match, play=replace(updates[at].match.play, hand=other))
    for kept in (updates[:at], updates[: at - 3]):
        seen = Seen()
        for update in [*kept, replace(updates[at], match=match), *updates[at + 1 :]]:
            seen.hear(update)

        assert "other tiles" in examined(lines_of(party), None, seen).problem


def test_where_the_clock_stands_no_record_takes_the_place_of_another(tmp_path, monkeypatch):
    standing = type("Standing", (), {"now": staticmethod(lambda zone: datetime(2026, 1, 31, tzinfo=zone))})
    monkeypatch.setattr("net.client.verify_match.datetime", standing)
    prover = Prover(Client(memory_pair()[0], "test"), tmp_path)

    assert len({prover._keep(kind, ["{}"]) for kind in ("", "", "-evidence", "-evidence")}) == 4
    assert len(list(tmp_path.iterdir())) == 4
