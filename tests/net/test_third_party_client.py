"""docs/protocol.md is enough to play: a client built from its tables does everything that it describes."""

import asyncio
import hashlib
import json
import secrets

import asyncssh
import pytest

from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.ssh.keys import signature_of, signed_bytes, signing
from net.wire.link import memory_pair
from tests.net.party import AT_LEISURE, quick
from tests.net.stranger import CLIENT_MESSAGES, Stranger

ADA = asyncssh.generate_private_key("ssh-ed25519")


@pytest.fixture
async def door(tmp_path):
    """Yield a function that connects a stranger, with or without a key; the host is closed at the end."""
    lobby = Lobby(
        Accounts(),
        new_secret=lambda: b"seed",
        software="test",
        pace=AT_LEISURE,
        clock=quick,
        signing=signing(tmp_path / "key"),
    )
    host = Server(lobby)
    async with asyncio.TaskGroup() as group:

        async def connect(name, key="", resume=None):
            ours, theirs = memory_pair()
            group.create_task(host.serve(theirs, Visitor(name, key, address="192.0.2.1")))
            stranger = Stranger(ours)
            group.create_task(stranger.receive_all())
            return_field = {} if resume is None else {"resume": resume}
            await stranger.request("hello", "greeting", protocol=5, software="mine 0.1", **return_field)
            await stranger.request("enter", "entered", name=name)
            await stranger.wait_for("tables")
            return stranger

        yield connect
        host.close()


def make_share():
    """Return a share and the pledge for it, as the page writes them."""
    share = secrets.token_bytes(32)
    return share.hex(), hashlib.sha256(share).hexdigest()


async def play_out(*players):
    """Play the match to its end with actions that the views list as legal."""
    while not players[0].update["match"]["over"]:
        number, view = players[0].update["number"], players[0].update["match"]["play"]
        if view["result"]:
            for player in players:
                player.send("ready")
        else:
            player = next(candidate for candidate in players if candidate.update["seat"] == view["turn"])
            player.send("act", number=number, action=player.update["match"]["play"]["legal"][0])

        def has_changed(update, number=number, dealt=view["result"]):
            return update["number"] > number and not (dealt and update["match"]["play"]["result"])

        for player in players:
            await player.wait_for("update", has_changed)


async def play_until_choice(*players):
    """Play until a player has had a choice; return them, the other, the round before that, and the action."""
    while True:
        chooser, other = sorted(players, key=lambda player: not player.update["match"]["play"]["legal"])
        number, view = chooser.update["number"], chooser.update["match"]["play"]
        chooser.send("act", number=number, action=view["legal"][0])
        for player in players:
            await player.wait_for("update", lambda update, number=number: update["number"] > number)
        if len(view["legal"]) > 1 and not chooser.update["match"]["play"]["result"]:
            return chooser, other, view, view["legal"][0]


async def test_a_client_made_from_the_page_alone_plays_a_match_and_uses_the_whole_page(door):
    ada, bela = await door("ada", ADA.get_fingerprint()), await door("bela")
    assert ada.newest("entered")["resume"] == ""
    code = bela.newest("entered")["resume"]
    assert code

    # A table, seats, and shares
    share, pledge = make_share()
    other_share, other_pledge = make_share()
    table_update = await ada.request(
        "make_table", "update", game="draw", players=2, options={"target": 50}, pledge=pledge, take_back=True
    )
    table = table_update["table"]["id"]
    assert (table_update["seat"], table_update["table"]["phase"], table_update["fair"]["shares"]) == (
        0,
        "waiting",
        [[pledge, ""], ["", ""]],
    )
    shuffling = await bela.request("sit", "update", table=table, pledge=other_pledge)
    assert shuffling["table"]["phase"] == "shuffling"
    ada.send("reveal", share=share)
    bela.send("reveal", share=other_share)
    for player in (ada, bela):
        playing = await player.wait_for("update", lambda update: update["table"]["phase"] == "playing")
        assert playing["fair"]["shares"] == [[pledge, share], [other_pledge, other_share]]

    # Spectating, chat, and removal
    chen = await door("chen")
    watching = await chen.request("watch", "update", table=table)
    assert (watching["seat"], watching["match"]["play"]["hand"]) == (-1, [])
    said = await chen.request("say", "said", text="good luck")
    assert (said["name"], said["seat"], said["text"]) == ("chen", -1, "good luck")
    assert await ada.wait_for("said") == said
    assert (await bela.request("remove", "refused", name="chen"))["reason"]["text"]
    ada.send("remove", name="chen")
    assert (await chen.wait_for("left"))["reason"]["text"] == "You were removed from that table."

    # Stopping, leaving, and a broken connection
    paced = await ada.request("set_pace", "update", pace="slow")
    assert paced["table"]["pace"] == "slow"
    ada.send("skip")
    stopped = await ada.request("pause", "update", on=True)
    assert stopped["table"]["phase"] == "paused"
    await ada.request("leave", "left")
    assert ada.newest("tables")["yours"] == table
    assert (await ada.request("sit", "update", table=table))["seat"] == 0
    ending = await bela.request("end_match", "update")
    assert ending["wanted"] == [1, None, [], True, False]
    bela.link.close()  # with which the proposal lapses
    bela_again = await door("bela", resume=code)
    assert (await bela_again.request("sit", "update", table=table))["seat"] == 1
    resumed = await ada.request("pause", "update", on=False)
    await bela_again.wait_for("update", lambda update: update["number"] == resumed["number"])

    # Hints and taking back, with the consent of the other
    proposal = await ada.request("allow_hints", "update", seat=0)
    assert proposal["wanted"] == [0, None, [], False, False]
    allowed = await bela_again.request("allow_hints", "update", lambda update: update["table"]["hints"], seat=0)
    await ada.wait_for("update", lambda update: update["number"] == allowed["number"])
    player, other_one, choice_view, chosen = await play_until_choice(ada, bela_again)
    wanted = await player.request("take_back", "update", seat=player.update["seat"])
    assert wanted["wanted"] == [player.update["seat"], chosen, [], False, False]
    taken_back = await other_one.request("take_back", "update", lambda update: update["events"], seat=wanted["seat"])
    assert taken_back["events"] == [["taken_back", wanted["seat"], chosen]]
    assert taken_back["match"]["history"][0][0] == "dealt"
    choice_again = await player.wait_for("update", lambda update: update["events"] == taken_back["events"])
    assert choice_again["match"]["play"] == choice_view
    await other_one.wait_for("update", lambda update: update["number"] == choice_again["number"])

    # To the end, and the proof of it
    await play_out(ada, bela_again)
    await ada.request("recall", "record", lambda record: record["last"])
    lines = [line for message in ada.received if message["type"] == "record" for line in message["lines"]]
    record = [json.loads(line) for line in lines]
    assert record[0]["fair"]["shares"] == [[pledge, share], [other_pledge, other_share]]
    chain = record[-1]["chain"]
    statement = f"boneyard witness\nseat 0\nchain {chain}\n".encode()
    key, signature = signature_of(ADA.public_data, ADA.sign(signed_bytes(statement), ADA.sig_algorithms[0]))
    ada.send("attest", chain=chain, key=key, signature=signature)
    witnessed = await ada.request("recall", "record", lambda record: '"witness"' in record["lines"][-1])
    assert key in witnessed["lines"][-1]

    # One account for two keys
    code = (await ada.request("bind", "bind_code"))["code"]
    assert (await ada.request("bind", "refused", code=code))["reason"]["text"]
    assert (await ada.request("unbind", "refused"))["reason"]["text"]

    # Another match, and goodbye
    bela_again.send("ready")
    await ada.request("ready", "update", lambda update: not update["match"]["over"], pledge="")
    for player in (ada, bela_again):
        bye = await player.request("goodbye", "bye")
        assert (bye["reason"], bye["again"]) == (None, False)

    # Optional fields are left out
    answer = await chen.request("browse", "tables", lambda page: not page["total"], page=3, words="nobody", free=True)
    assert (answer["tables"], answer["page"]) == ([], 0)
    own_table = await chen.request("make_table", "update", game="block", players=2)
    assert own_table["table"]["options"]["target"]
    filled = await chen.request("fill", "update", lambda update: update["match"] is not None)
    assert filled["table"]["seats"][1][1] == "normal"
    assert ada.sent_kinds | bela.sent_kinds | bela_again.sent_kinds | chen.sent_kinds == set(CLIENT_MESSAGES)


async def test_a_message_without_a_required_field_is_refused(door):
    ada = await door("ada")
    count_before = len(ada.received)
    ada.link.send(b"\x81\xa4type\xa3sit")

    assert (await ada.wait_for("bye", after=count_before))["reason"]["text"].startswith(
        "That was not a Boneyard message"
    )
