"""Strangers on the wire: their input is refused in words or ends their connection; others are unaffected."""

import msgpack
import pytest

from core.actions import Draw, Pass, Play
from core.tiles import Tile
from net.limits import MAX_FRAME
from net.wire.link import frame, pack
from net.wire.messages import (
    PROTOCOL,
    Act,
    Enter,
    FillWithBots,
    Hello,
    MakeTable,
    Ready,
    Say,
    Sit,
    Watch,
)
from tests.real.joined import joined

NOT_OURS = "That was not a Boneyard message, so the connection was closed."


GARBAGE = {
    "bytes that are no MessagePack": frame(b"\xc1\xc1\xc1"),
    "a frame that is too long": (MAX_FRAME + 1).to_bytes(4, "big"),
    "nesting deeper than MessagePack's": frame(b"\x91" * 200_000 + b"\xc0"),
    "a message of ours for clients": frame(msgpack.packb({"type": "bye"})),
}
"""Over SSH; tests/net/wire/test_codec.py has more."""


@pytest.fixture
async def host(programs):
    host = await programs.start_host()
    yield host
    await host.close_cleanly()


async def table_of_ada(ada):
    """Seat ada with two bots; return her newest update, when it is her turn."""
    ada.make_table(MakeTable("draw", 3, {}, bots=2))
    await ada.until(lambda client: client.update and client.update.match.play.turn == 0)
    return ada.update


async def move_until_next_turn(ada):
    """Move for ada, and check that the table goes on until it is her turn again."""

    def round_over_or_hers(now):
        return now.update.number > before and now.update.match.play.turn in (-1, 0)

    before = ada.update.number
    ada.act(ada.update.match.play.legal[0])
    await ada.until(round_over_or_hers)
    while ada.update.match.play.turn != 0:
        before = ada.update.number
        ada.ready()
        await ada.until(round_over_or_hers)


async def test_a_client_of_another_protocol_is_disconnected_with_the_reason(host, tmp_path):
    async with joined(host, tmp_path, "ada") as ada, joined(host, tmp_path, "eve") as eve:
        await table_of_ada(ada)
        eve.watch(1)
        await eve.until(lambda client: client.update)
        for what, data in GARBAGE.items():
            async with joined(host, tmp_path, "mallory") as mallory:
                count = len(ada.payloads)
                mallory.link.session.write(data)
                bye = await mallory.wait_for_end()
                assert bye, what
                assert str(bye.reason) == NOT_OURS, what
            assert len(ada.payloads) == count, what
            await move_until_next_turn(ada)
        assert not ada.refusals
        assert not eve.refusals
        await eve.until(lambda client: client.update.number == ada.update.number)


async def test_players_play_on_beside_half_frames_silence_and_floods(host, tmp_path):
    async with (
        joined(host, tmp_path, "ada") as ada,
        joined(host, tmp_path, "mallory") as mallory,
        joined(host, tmp_path, "mute", enter=False) as mute,
    ):
        await table_of_ada(ada)
        mute.link.session.write(frame(pack(Enter("mute")))[:-1])
        mallory.link.session.write(frame(pack(Say("x" * 60_000))) * 200)  # 12 MB that nobody reads
        for _ in range(5):
            await move_until_next_turn(ada)
        assert not ada.said


async def test_a_forbidden_request_is_refused_with_the_reason_and_changes_nothing(host, tmp_path):
    async with (
        joined(host, tmp_path, "ada") as ada,
        joined(host, tmp_path, "bob") as bob,
        joined(host, tmp_path, "eve") as eve,
        joined(host, tmp_path, "mallory") as mallory,
    ):

        async def refusal(guest, message):
            """Return the refusal of a message; the table does not change."""
            before, numbers = len(guest.refusals), [client.update.number for client in (ada, bob, eve)]
            guest.send_message(message)
            await guest.until(lambda client: len(client.refusals) > before)
            assert numbers == [client.update.number for client in (ada, bob, eve)]
            return guest.refusals[-1]

        ada.make_table(MakeTable("draw", 2, {}))
        await ada.until(lambda client: client.update)
        eve.watch(1)
        bob.sit(1)
        for guest in (ada, bob, eve):
            await guest.until(lambda client: client.update and client.update.match)
        players = [ada, bob]
        on_turn = ada.update.match.play.turn
        lead, wait = players[on_turn], players[1 - on_turn]
        number = lead.update.number
        own, others = lead.update.match.play.hand, wait.update.match.play.hand
        legal = lead.update.match.play.legal

        assert await refusal(wait, Act(number, legal[0])) == "It is not your turn."
        assert await refusal(wait, Act(number, Play(others[0], -1, 0, others[0].high))) == "It is not your turn."
        assert await refusal(eve, Act(number, legal[0])) == "You are watching; only seated players can play."
        assert await refusal(mallory, Act(number, legal[0])) == "You are not at a table."
        for action in (
            Play(others[0], -1, 0, others[0].high),  # a tile of the other's
            Play(Tile(0, 18), -1, 0, 18),  # a tile of another set
            Play(own[0], 5, 1, own[0].high),  # at a tile that is not there
            Draw(),
            Pass(),
        ):
            assert await refusal(lead, Act(number, action)) == "That is not possible now."
        for other in (number - 1, number + 1, 2**60):
            assert await refusal(lead, Act(other, legal[0])) == "The match has already moved on."

        lead.send_message(Act(number, legal[0]))
        await lead.until(lambda client: client.update.number > number)
        for guest in (ada, bob, eve):
            await guest.until(lambda client: client.update.number == number + 1)
        assert await refusal(wait, Act(number, legal[0])) == "The match has already moved on."
        assert ada.update.match.play.layout[0].tile == legal[0].tile
        assert {len(guest.update.match.play.layout) for guest in (ada, bob, eve)} == {1}

        assert await refusal(mallory, Sit(1)) == "Every seat at that table is taken."
        assert await refusal(mallory, Sit(7)) == "That table no longer exists."
        assert await refusal(mallory, Watch(-1)) == "That table no longer exists."
        assert await refusal(mallory, Ready()) == "You are not at a table."
        assert await refusal(mallory, Hello(PROTOCOL, "again")) == "You are already logged in."
        assert await refusal(mallory, Enter("ada")) == "You are already logged in."
        assert await refusal(eve, FillWithBots()) == "Only seated players can fill the table with bots."
        for request, said in [
            (MakeTable("chess", 2, {}), "There is no game “chess”."),
            (MakeTable("draw", 99, {}), "Draw is for 2 to 4 players, not 99."),
            (MakeTable("draw", 10**6, {}, bots=10**6 - 1), "Draw is for 2 to 4 players"),
            (MakeTable("draw", 2, {}, bots=-1), "can have 0 to 1 bots"),
            (MakeTable("draw", 2, {}, bots=2), "can have 0 to 1 bots"),
            (MakeTable("draw", 2, {"{0.__class__}": 1}), "There is no house rule “{0.__class__}” here."),
            (MakeTable("draw", 2, {"target": 3}), "target cannot be “3”"),
            (MakeTable("draw", 2, {}, bots=1, level="x" * 60_000), "There is no bot “xxxx"),
        ]:
            assert said in await refusal(mallory, request)
        await mallory.until(lambda client: len(client.tables.tables) == 1)  # updates of the lobby are delayed
