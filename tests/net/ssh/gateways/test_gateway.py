"""A gateway's own end: it knows the facts that the host sends, asks for shared counts, and ends with the host."""

import asyncio

import pytest
from msgspec.structs import replace

from core.layout.state import NOBODY
from core.words import Illegal, words
from net.host.presence import Roster
from net.limits import Limits
from net.players.accounts import Banned
from net.ssh.gateways.gateway import HOME, HostProxy, HostQuotas
from net.ssh.gateways.messages import (
    Answer,
    BanListed,
    CloseHost,
    ForgiveCode,
    LobbyChat,
    NoticeChanged,
    RegistryCall,
    ReleaseSession,
    RosterChanged,
    TableListed,
)
from net.trunk import ToGuest, Trunk
from net.wire.messages import Said, SeatInfo, TableInfo
from tests.net.ssh_room import with_timeout

TABLE = TableInfo(1, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")


class Host:
    """The host as a gateway sees it."""

    def __init__(self):
        self.configs, self.ended, self.changed = [], [], []
        self.home = HostProxy(self.configs.append, lambda: self.ended.append(True))
        self.requests = []
        self.home.trunk.send = self.requests.append
        self.home.changes.add(self.changed.append)

    def send(self, *messages):
        for message in messages:
            self.home.trunk._handle(message)

    async def start_call(self, call):
        """Start a call that waits for the host's answer; return its task, and the message that it sent."""
        task = asyncio.create_task(call)
        await asyncio.sleep(0)
        return task, self.requests[-1]


@pytest.fixture
async def host():
    return Host()


async def test_a_question_gets_its_own_answer(host):
    code_task, code_call = await host.start_call(HostQuotas(host.home, Limits()).try_code("192.0.2.1"))
    name_task, name_call = await host.start_call(host.home.name_of("key"))
    assert (code_call, name_call) == (
        RegistryCall(1, "try_code", ("192.0.2.1",)),
        RegistryCall(2, "name_of", ("key",)),
    )
    host.send(Answer(2, known=True, says="ada"), Answer(999, known=True), Answer(1, known=True, says=True))

    assert await code_task is True
    assert await name_task == "ada"


async def test_a_name_that_the_host_refuses_is_refused_in_the_hosts_words(host):
    claiming, call = await host.start_call(host.home.claim_name("key", "ada", remember=True, guest=7))
    assert call == RegistryCall(1, "admit", (7, "ada", "key"))
    host.send(Answer(1, refusal=words("The name {name} is taken; choose another.", name="ada")))
    with pytest.raises(Illegal, match="ada is taken"):
        await claiming


async def test_a_name_that_the_host_gives_is_returned_without_a_refusal(host):
    claiming, _ = await host.start_call(host.home.claim_name("key", "bela", remember=True, guest=7))
    host.send(Answer(1, known=True))
    assert await claiming == ""


async def test_a_question_that_the_host_cannot_answer_raises_an_error(host):
    claiming, _ = await host.start_call(host.home.claim_name("key", "ada", remember=True))
    host.send(Answer(1))
    with pytest.raises(OSError, match="does not know"):
        await claiming


async def test_tables_and_bans_are_as_the_host_says(host):
    ban = Banned("SHA256:eve", "", "2026-11-25")
    host.send(
        TableListed(1, TABLE, ("key", "")),
        TableListed(2, replace(TABLE, id=2), ("", "")),
        BanListed(ban.who, ban),
        BanListed("SHA256:bob", ban),
    )
    host.send(TableListed(2, None), BanListed("SHA256:bob", None))

    assert {number: (table.info, table.host, table.tokens) for number, table in host.home.tables.items()} == {
        1: (TABLE, HOME, ("key", ""))
    }
    assert "SHA256:eve" in host.home.bans
    assert "SHA256:bob" not in host.home.bans
    assert host.changed == [{1}, {2}, set(), set(), {2}, set()]


async def test_roster_and_chat_of_the_host_arrive_until_nothing_listens(host):
    messages = []
    stop = host.home.chat.add(messages.append)
    host.send(
        RosterChanged(Roster(("ada", "bela"), 2)), LobbyChat("bela", "hello"), LobbyChat("", "Maintenance.", 60.0)
    )
    stop()
    host.send(LobbyChat("bela", "nobody?"))
    host.home.publish_roster(Roster(("ada",), 1))
    host.home.say(Said("ada", NOBODY, "me"))

    assert host.home.roster == Roster(("ada", "bela"), 2)
    assert host.changed == [set()]
    assert messages == [Said("bela", NOBODY, "hello"), Said("", NOBODY, "Maintenance.", 60.0)]
    assert host.requests == [LobbyChat("ada", "me")]


async def test_the_notice_is_the_latest_one_of_the_host(host):
    host.send(NoticeChanged("Cup on Friday"))
    assert host.home.notice == "Cup on Friday"
    host.send(NoticeChanged(""))
    assert host.home.notice == ""
    assert host.changed == [set(), set()], "listeners were told twice, of no table"


async def test_releases_and_forgiveness_are_sent_without_waiting_for_an_answer(host):
    quotas = HostQuotas(host.home, Limits())
    quotas.release_session("key")
    quotas.forgive_code("192.0.2.1")
    assert host.requests == [ReleaseSession("key"), ForgiveCode("192.0.2.1")]


async def test_messages_to_guests_go_to_their_trunk(host):
    messages, over = [], []
    trunk = Trunk(lambda _: None, messages.append, lambda: over.append(True))
    await host.home.open_trunk("", trunk)
    host.send(ToGuest(1, b"6|4"))
    trunk.send(ReleaseSession("key"))
    host.home.trunk.connection_lost(None)

    assert messages == [ToGuest(1, b"6|4")]
    assert host.requests == [ReleaseSession("key")]
    assert over == [True]


async def test_a_pending_question_is_cancelled_when_the_trunk_ends(host):
    task, _ = await host.start_call(HostQuotas(host.home, Limits()).try_code("192.0.2.1"))
    host.home.trunk.connection_lost(None)

    with pytest.raises(asyncio.CancelledError):
        await with_timeout(task)
    assert host.ended


async def test_a_gateway_is_closed_and_ended_when_its_host_closes(host):
    assert not host.home.closed
    host.send(CloseHost())

    assert host.home.closed
    assert host.ended
