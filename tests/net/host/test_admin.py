"""The operator's commands to a running host: what they answer, which players they remove, and who cannot send any."""

import asyncio
import stat

import pytest

from net.host.admin import NAME, AdminError, administered, ask, perform
from net.host.guest_server import PARTED
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.wire.link import unpack
from net.wire.messages import PROTOCOL, Bye, Enter, Hello, Left, MakeTable, Said, ToClient

KEY, OTHER = "SHA256:" + "A" * 43, "SHA256:" + "z/+" * 14 + "z"


class RecordingLink:
    """A link that remembers what it was sent."""

    def __init__(self):
        self.sent = []
        self.closed = False

    def send(self, frame):
        self.sent.append(unpack(frame, ToClient))

    def close(self):
        self.closed = True


class Evening:
    """A host with two guests, ada with a key at a table, and bela without one in the lobby."""

    def __init__(self):
        self.house = Server(Lobby(Accounts(), seeds=lambda: b"seed", software="test"))
        self.links = {}
        for number, name, key in ((1, "ada", KEY), (2, "bela", "")):
            self.links[number] = self.house._links[number] = RecordingLink()
            self.house.lobby.front.connect(number, Visitor(name, key, address=f"10.0.0.{number}"))
            self.say(number, Hello(PROTOCOL, "test"))
            self.say(number, Enter(name))
        self.say(1, MakeTable("draw", 2, {}))

    def say(self, number, message):
        self.house._handle(number, message)

    def does(self, wish, **more):
        return "\n".join(perform(self.house, {"do": wish, **more}))


@pytest.fixture
async def evening():
    evening = Evening()
    yield evening
    evening.house.close()


async def test_the_operator_is_told_who_is_here_and_what_is_played(evening):
    assert "2 connections, 1 table, 0 playing" in evening.does("status")
    assert "Everything is saved" in evening.does("status")
    assert "1  draw  waiting  ada, free" in evening.does("tables")
    assert f"ada  10.0.0.1  {KEY}  table 1" in evening.does("guests")
    assert "bela  10.0.0.2  no key  lobby" in evening.does("guests")


@pytest.mark.parametrize(("who", "banned"), [("ada", KEY), (KEY, KEY), ("10.0.0.1", "10.0.0.1")])
async def test_a_ban_holds_from_now_on_and_sends_away_at_once(evening, who, banned):
    assert "1 disconnected" in evening.does("ban", who=who, why="floods\x1b[2J")

    assert isinstance(evening.links[1].sent[-1], Bye)
    assert evening.links[1].closed
    assert not evening.links[2].closed
    assert banned in evening.house.lobby.accounts.bans
    assert "floods[2J" in evening.does("bans")
    evening.does("pardon", who=banned)
    assert "Nobody is banned" in evening.does("bans")


async def test_a_banned_guest_is_disconnected_once_they_have_been_told_why(evening, monkeypatch):
    monkeypatch.setattr("net.host.admin.DISCONNECT_DELAY", 0.0)
    cut = asyncio.get_running_loop().create_future()
    perform(evening.house, {"do": "ban", "who": "ada"}, cut.set_result)

    assert isinstance(evening.links[1].sent[-1], Bye)
    assert not cut.done()
    assert await cut == KEY


async def test_a_ban_of_a_guest_without_a_key_bans_their_address(evening):
    evening.does("ban", who="bela")

    assert "10.0.0.2" in evening.house.lobby.accounts.bans


async def test_a_refused_ban_bans_no_word(evening):
    with pytest.raises(AdminError):
        evening.does("ban", who="bob")

    assert evening.house.lobby.accounts.bans == {}


async def test_the_answer_says_what_was_banned_and_who_was_cut(evening):
    assert evening.does("ban", who="ada") == f"The key {KEY} of ada is banned; 1 disconnected: ada."
    assert evening.does("ban", who="10.0.0.2") == "The address 10.0.0.2 is banned; 1 disconnected: bela."
    assert evening.does("ban", who=OTHER) == f"The key {OTHER} is banned; 0 disconnected."


async def test_who_is_known_but_not_here_can_be_banned_by_name(evening):
    evening.house.lobby.accounts.remember(OTHER, "chen")

    assert "0 disconnected" in evening.does("ban", who="chen")
    assert OTHER in evening.house.lobby.accounts.bans


async def test_a_guest_whose_name_looks_like_an_address_is_not_taken_for_it(evening):
    evening.links[3] = evening.house._links[3] = RecordingLink()
    evening.house.lobby.front.connect(3, Visitor("x", OTHER, address="10.0.0.3"))
    evening.say(3, Hello(PROTOCOL, "test"))
    evening.say(3, Enter("10.0.0.1"))
    with pytest.raises(AdminError, match="is a name and an address; use --name or --address"):
        evening.does("kick", who="10.0.0.1")

    assert evening.does("kick", who="10.0.0.1", kind="address") == "With the address 10.0.0.1: 1 disconnected: ada."
    assert not evening.links[3].closed
    assert "of 10.0.0.1 is banned" in evening.does("ban", who="10.0.0.1", kind="name")
    assert list(evening.house.lobby.accounts.bans) == [OTHER]
    assert evening.links[3].closed


async def test_who_is_kicked_may_come_back(evening):
    assert "1 disconnected" in evening.does("kick", who="bela")
    assert evening.house.lobby.accounts.bans == {}


async def test_a_table_can_be_closed_and_its_guests_are_told(evening):
    evening.does("close", who="1")

    assert any(isinstance(message, Left) for message in evening.links[1].sent)
    assert evening.house.lobby.tables == {}


async def test_what_the_host_says_is_heard_at_every_table(evening):
    evening.does("say", text="restart in five minutes")

    assert evening.links[1].sent[-1] == Said("", -1, "restart in five minutes")


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"do": "dance"}, "no command"),
        ("ban", "not a request"),
        ({}, "no command"),
        ({"do": "close", "who": "77"}, "no table 77"),
        ({"do": "close", "who": "²"}, "no table"),
        ({"do": "kick", "who": "zoe"}, "the name of anybody connected or known"),
        ({"do": "kick", "who": ""}, "the name of anybody"),
        ({"do": "kick", "who": "10.9.9.9"}, r"Nobody is connected with the address 10\.9\.9\.9"),
        ({"do": "ban", "who": "bob"}, "“bob” is not an address, a key .*, or the name of anybody connected or known"),
        ({"do": "ban", "who": ""}, "the name of anybody"),
        ({"do": "ban", "who": "SHA256:A"}, "not an address, a key"),
        ({"do": "ban", "who": "10.0.0"}, "not an address"),
        ({"do": "ban", "who": "ada", "kind": "address"}, "“ada” is not an IP address"),
        ({"do": "ban", "who": "ada", "kind": "key"}, "“ada” is not a key"),
        ({"do": "ban", "who": "10.0.0.1", "kind": "name"}, "Nobody called “10.0.0.1”"),
        ({"do": "pardon", "who": "zoe"}, "is not banned"),
    ],
)
async def test_a_wish_that_makes_no_sense_is_refused_in_words(evening, request_, words):
    with pytest.raises(AdminError, match=words):
        perform(evening.house, request_)


async def test_the_socket_is_for_the_hosts_own_user_and_goes_with_the_host(evening, tmp_path):
    async with administered(evening.house, tmp_path):
        assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
        lines = await asyncio.to_thread(ask, tmp_path, {"do": "status"})
        assert lines[-1] == "Everything is saved."
        with pytest.raises(AdminError, match="no command"):
            await asyncio.to_thread(ask, tmp_path, {"do": "dance"})
        reader, writer = await asyncio.open_unix_connection(tmp_path / NAME)
        writer.write(b"nonsense\n")
        assert await reader.read() == b""
        writer.close()

    with pytest.raises(AdminError, match="No host is running"):
        ask(tmp_path, {"do": "status"})


async def test_a_host_that_is_alone_has_nobody_to_hand_its_tables_to(evening):
    with pytest.raises(AdminError, match="This host is alone"):
        evening.does("drain")


@pytest.mark.parametrize(("first", "joined"), [(KEY, OTHER), (OTHER, KEY)])
@pytest.mark.parametrize("who", ["ada", KEY, OTHER])
async def test_all_keys_of_an_account_are_banned_whichever_is_here(evening, first, joined, who):
    accounts = evening.house.lobby.accounts
    accounts.bind(joined, accounts.offer(first, 0.0), 1.0)

    assert "1 disconnected: ada" in evening.does("ban", who=who)
    assert {KEY, OTHER} == set(accounts.bans)


async def test_keys_are_parted_from_an_account_by_its_name_once(evening):
    accounts = evening.house.lobby.accounts
    accounts.bind(OTHER, accounts.offer(KEY, 0.0), 1.0)

    assert evening.does("unbind", who="ada") == f"{OTHER} has an account of its own again."
    with pytest.raises(AdminError, match="joined no account"):
        evening.does("unbind", who=OTHER)


@pytest.mark.parametrize(("first", "joined"), [(KEY, OTHER), (OTHER, KEY)])
async def test_who_is_parted_comes_in_again_and_nobody_else(evening, first, joined):
    accounts = evening.house.lobby.accounts
    accounts.bind(joined, accounts.offer(first, 0.0), 1.0)
    evening.does("unbind", who=joined)

    assert evening.links[1].closed == (joined == KEY)
    assert (evening.links[1].sent[-1] == Bye(PARTED)) == (joined == KEY)
    assert not evening.links[2].closed
