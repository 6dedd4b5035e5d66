"""Fair deals (docs/fair-deals.md): the host commits, clients pledge and show their shares, the record proves it."""

import asyncio
import json
from hashlib import sha256

import pytest
from msgspec.structs import replace

from core.chance import deal_order
from core.fair import Fair, Share, commit, deal_key
from core.records import RecordError, referee
from net.client.client import Client, Proof
from net.client.shares import Witness
from net.client.verify_match import Prover, examined
from net.host.lobby import Lobby, Visitor
from net.host.server import House
from net.players.accounts import Register
from net.wire.link import memory_pair
from net.wire.messages import Greeting, MakeTable, Ready, Recall, Record, Reveal, Sit, Tables, Update
from tests.net.party import AT_LEISURE, Party, quick

SHARES = [bytes([n]) * 32 for n in range(4)]


@pytest.fixture
def party():
    party = Party(seeds=iter([b"first secret", b"second secret", b"third secret"]).__next__)
    party.come(1, "ada")
    party.come(2, "bela")
    return party


def pledged(party, **wish):
    """Both have sat down with a pledge, and no share is shown yet."""
    party.say(1, MakeTable("draw", 2, {"target": 50}, pledge=commit(SHARES[1]), **wish))
    table = party.update(1).table.id
    party.say(2, Sit(table, pledge=commit(SHARES[2])))
    return party.lobby.tables[table]


def test_the_commitment_stands_before_anybody_shows_a_share(party):
    pledged(party)

    update = party.update(2)
    assert update.table.phase == "shuffling"
    assert update.match is None
    assert update.fair.commitment == sha256(b"first secret").hexdigest()
    assert [share.pledge for share in update.fair.shares] == [commit(SHARES[1]), commit(SHARES[2])]
    assert [share.share for share in update.fair.shares] == ["", ""]


def test_the_tiles_are_dealt_with_the_last_share(party):
    pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))
    assert party.update(1).match is None
    party.say(2, Reveal(SHARES[2].hex()))

    update = party.update(1)
    assert update.match.round == 1
    assert [share.share for share in update.fair.shares] == [SHARES[1].hex(), SHARES[2].hex()]
    key = deal_key(b"first secret", update.fair.shares)
    order, _ = deal_order(update_rules(party).tiles, 2, key, 1)
    assert set(update.match.play.hand) <= set(order)


def update_rules(party):
    return next(iter(party.lobby.tables.values())).match.rules


@pytest.mark.parametrize("share", [SHARES[3].hex(), "", "zz", "00" * 31])
def test_another_share_than_the_pledged_one_is_refused(party, share):
    pledged(party)

    assert "not the one that you had pledged" in party.refusal(party.say(1, Reveal(share)))


def test_a_share_cannot_be_shown_twice(party):
    pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))

    assert "No share is expected" in party.refusal(party.say(1, Reveal(SHARES[1].hex())))


def test_no_pledge_is_taken_once_shares_are_shown(party):
    table = pledged(party)
    party.say(1, Sit(table.id, pledge=commit(SHARES[3])))

    assert party.update(1).fair.shares[0].pledge == commit(SHARES[1])


@pytest.mark.parametrize("pledge", ["short", "Z" * 64, "A" * 64])
def test_a_pledge_that_is_none_is_refused(party, pledge):
    assert "no pledge" in party.refusal(party.say(1, MakeTable("draw", 2, {}, pledge=pledge)))


def test_who_does_not_show_his_share_in_time_is_dealt_without_it_and_the_record_tells(party):
    table = pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))
    assert table.delay is not None
    party.deliver(party.lobby.step(table))

    match = json.loads(table.take().lines[0])
    assert match["fair"]["shares"] == [[commit(SHARES[1]), SHARES[1].hex()], [commit(SHARES[2]), ""]]


def test_who_drops_out_while_shares_are_shown_keeps_his_seat_and_holds_up_nobody(party):
    pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.go(2)
    party.run()

    assert party.update(1).match.round == 1
    assert party.update(1).table.seats[1].name == "bela"


def finished(party):
    table = pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    party.play_out(1, 2)
    return table


def test_the_record_is_handed_out_when_the_match_is_over_and_not_before(party):
    pledged(party)
    assert "when it is over" in party.refusal(party.say(1, Recall()))
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    assert "when it is over" in party.refusal(party.say(1, Recall()))
    party.play_out(1, 2)

    parts = [m for m in party.say(2, Recall()) if isinstance(m, Record)]

    lines = [line for part in parts for line in part.lines]
    assert [part.last for part in parts] == [False] * (len(parts) - 1) + [True]
    assert list(referee(lines))[-1].match.over
    assert bytes.fromhex(json.loads(lines[-2])["secret"]) == b"first secret"


def test_another_match_has_another_secret_and_new_shares(party):
    finished(party)
    assert party.update(1).fair.commitment == commit(b"second secret")
    party.say(1, Ready(commit(SHARES[3])))
    party.say(2, Ready())

    assert party.update(2).table.phase == "shuffling"
    party.say(1, Reveal(SHARES[3].hex()))
    assert party.update(2).match.round == 1
    assert not party.update(2).match.over


def test_nobody_hears_the_secret_before_the_match_is_over(party):
    pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    for _ in range(10):
        party.play(party.on_turn(1, 2))

    for payload in (*party.bytes[1], *party.bytes[2]):
        assert b"first secret" not in payload
        assert b"first secret".hex().encode() not in payload


def changed(lines, at, **fields):
    return [*lines[:at], json.dumps(json.loads(lines[at]) | fields), *lines[at + 1 :]]


def wrong(lines):
    with pytest.raises(RecordError) as caught:
        list(referee(lines))
    return caught.value


def test_a_host_that_deals_otherwise_than_it_had_committed_is_found_out(party):
    table = finished(party)
    lines = list(table.take().lines)
    first = json.loads(lines[0])

    assert "had committed" in wrong(changed(lines, len(lines) - 2, secret=b"other".hex())).reason
    assert "not hexadecimal" in wrong(changed(lines, len(lines) - 2, secret="z")).reason
    other = changed(lines, 0, fair=first["fair"] | {"shares": [["", ""], ["", ""]]})
    assert wrong(other).line == 2
    assert "does not follow" in wrong(other).reason
    forged = first["fair"] | {"shares": [[commit(SHARES[1]), SHARES[3].hex()], ["", ""]]}
    assert "not the one that was pledged" in wrong(changed(lines, 0, fair=forged)).reason
    assert "for every seat" in wrong(changed(lines, 0, fair=first["fair"] | {"shares": []})).reason
    assert "no SHA-256" in wrong(changed(lines, 0, fair=first["fair"] | {"commitment": "0"})).reason
    assert "belongs to format 2 and later" in wrong(changed(lines, 0, fair=None)).reason


# What a client does by itself: pledge, show, and check.


class Shuffled:
    """Two clients at a table over links in memory, each with a share of its own."""

    def __init__(self, group, tmp_path):
        self.house = House(Lobby(Register(), seeds=lambda: b"host", software="test", pace=AT_LEISURE, clock=quick))
        self.clients = []
        self.proofs = asyncio.Queue()
        for name, byte in (("ada", 7), ("bela", 8)):
            ours, theirs = memory_pair()
            group.create_task(self.house.attend(theirs, Visitor(name, name)))
            client = Client(ours, "test", entropy=lambda size, byte=byte: bytes([byte]) * size)
            Prover(client, tmp_path / name)
            client.listen(lambda message, client=client: self.hear(client, message))
            self.clients.append(client)
            group.create_task(client.run())

    def hear(self, client, message):
        """Come in, sit down, and play whatever is legal."""
        match message:
            case Greeting(name=name):
                client.enter(name)
            case Tables(tables=()) if client is self.clients[0]:
                client.make_table(MakeTable("draw", 2, {"target": 50}))
            case Tables(tables=(table,), yours=-1) if table.phase == "waiting":
                client.sit(table.id)
            case Update(match=match) if match and match.play.legal:
                client.act(match.play.legal[0])
            case Update(match=match, ready=ready, seat=seat) if match and not match.over and match.play.result:
                if seat not in ready:
                    client.ready()
            case Proof():
                self.proofs.put_nowait(message)
                if self.proofs.qsize() == 2:
                    self.house.close()


async def test_every_client_adds_its_share_and_proves_the_record_at_the_end(tmp_path):
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        table = Shuffled(group, tmp_path)

    assert [table.proofs.get_nowait() for _ in range(2)] == [Proof()] * 2
    (kept,) = (tmp_path / "ada").iterdir()
    first, *_, last, _seal = map(json.loads, kept.read_text().splitlines())
    assert [share[1] for share in first["fair"]["shares"]] == [(bytes([n]) * 32).hex() for n in (7, 8)]
    assert last["secret"] == b"host".hex()


def test_a_client_says_what_is_not_as_it_had_been_promised(party):
    table = finished(party)
    lines = list(table.take().lines)
    fair = Fair(commit(b"first secret"), tuple(Share(commit(raw), raw.hex()) for raw in SHARES[1:3]))

    assert examined(lines, Witness(fair, 0, SHARES[1].hex())).problem == ""
    assert examined(lines, None).problem == ""
    other = replace(fair, commitment=commit(b"other"))
    assert "something else" in examined(lines, Witness(other, 0, SHARES[1].hex())).problem
    pledges = replace(fair, shares=(Share(commit(SHARES[3])), fair.shares[1]))
    assert "other pledges" in examined(lines, Witness(pledges, 0, SHARES[1].hex())).problem
    assert "left out" in examined(lines, Witness(fair, 0, SHARES[3].hex())).problem
    assert "does not hold" in examined(lines[:-1], None).problem
