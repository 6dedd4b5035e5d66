"""The operator's commands to a running host: their answers, the players that they remove, and the users who may send
them.
"""

import asyncio
import json
import stat
from datetime import UTC, datetime, timedelta

import pytest

from core.words import Illegal
from net.host.admin import SOCKET_NAME, AdminError, ask, perform, serve_admin
from net.host.guest_server import KEY_UNBOUND
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import MOMENT, Accounts
from net.wire.maintenance import CALLED_OFF, Maintenance, announcement
from net.wire.messages import (
    PROTOCOL,
    Bye,
    Enter,
    Entered,
    FillWithBots,
    Hello,
    Left,
    MakeTable,
    Refused,
    Said,
    Say,
    Sit,
)
from tests.net.links import RecordingLink
from tests.waiting import until

KEY, OTHER = "SHA256:" + "A" * 43, "SHA256:" + "z/+" * 14 + "z"


class Evening:
    """A host with two guests, ada with a key at a table, and bela without one in the lobby."""

    def __init__(self):
        self.host = Server(Lobby(Accounts(), new_secret=lambda: b"seed", software="test"))
        self.links = {}
        for number, name, key in ((1, "ada", KEY), (2, "bela", "")):
            self.links[number] = self.host._links[number] = RecordingLink()
            self.host.lobby.front.connect(number, Visitor(name, key, address=f"10.0.0.{number}"))
            self.say(number, Hello(PROTOCOL, "test"))
            self.say(number, Enter(name))
        self.say(1, MakeTable("draw", 2, {}))

    def say(self, number, message):
        self.host._handle(number, message)

    def enter(self, number, name):
        """Let a guest without a key enter; return the messages that they are sent."""
        link = self.links[number] = self.host._links[number] = RecordingLink()
        self.host.lobby.front.connect(number, Visitor(name, address=f"10.0.0.{number}"))
        self.say(number, Hello(PROTOCOL, "test"))
        self.say(number, Enter(name))
        return link.sent

    def perform(self, command, **arguments):
        """Return the answer to a command of the operator."""
        return "\n".join(perform(self.host, {"do": command, **arguments}))


@pytest.fixture
async def evening():
    evening = Evening()
    yield evening
    evening.host.close()


async def test_the_operator_sees_the_guests_and_the_games(evening):
    assert "2 connections, 1 table, 0 playing" in evening.perform("status")
    assert "Everything is saved" in evening.perform("status")
    assert "1  draw  waiting  ada, free" in evening.perform("tables")
    assert f"ada  10.0.0.1  {KEY}  table 1" in evening.perform("guests")
    assert "bela  10.0.0.2  no key  lobby" in evening.perform("guests")


@pytest.mark.parametrize(("who", "banned"), [("ada", KEY), (KEY, KEY), ("10.0.0.1", "10.0.0.1")])
async def test_a_ban_holds_from_now_on_and_sends_away_at_once(evening, who, banned):
    assert "1 disconnected" in evening.perform("ban", who=who, why="floods\x1b[2J")

    assert isinstance(evening.links[1].sent[-1], Bye)
    assert evening.links[1].closed
    assert not evening.links[2].closed
    assert banned in evening.host.lobby.accounts.bans
    assert "floods[2J" in evening.perform("bans")
    evening.perform("pardon", who=banned)
    assert "Nobody is banned" in evening.perform("bans")


async def test_a_banned_guest_gets_the_reason_before_the_disconnection(evening, monkeypatch):
    monkeypatch.setattr("net.host.admin.DISCONNECT_DELAY", 0.0)
    banned_target = asyncio.get_running_loop().create_future()
    perform(evening.host, {"do": "ban", "who": "ada"}, banned_target.set_result)

    assert isinstance(evening.links[1].sent[-1], Bye)
    assert not banned_target.done()
    assert await banned_target == KEY


async def test_a_ban_of_a_guest_without_a_key_counts_the_others_at_their_address(evening):
    with pytest.raises(AdminError, match=r"bela has no key, only the address 10\.0\.0\.2\. Nobody else is connected"):
        evening.perform("ban", who="bela")
    for number, name, key in ((3, "cleo", OTHER), (4, "dean", ""), (5, "dean", "")):
        evening.host.lobby.front.connect(number, Visitor(name, key, address="::ffff:10.0.0.2", resume="code-of-dean"))
        evening.say(number, Hello(PROTOCOL, "test"))
        evening.say(number, Enter(name))
    with pytest.raises(AdminError, match="2 other guests are connected from there, and would be banned too"):
        evening.perform("ban", who="bela")
    assert evening.host.lobby.accounts.bans == {}
    answer = evening.perform("ban", who="10.0.0.2", kind="address")
    assert answer == "The address 10.0.0.2 is banned; 4 disconnected: bela, cleo, dean, dean."

    assert "10.0.0.2" in evening.host.lobby.accounts.bans


async def test_a_ban_of_an_unknown_guest_is_refused_and_not_stored(evening):
    with pytest.raises(AdminError, match="the name of anybody connected or known"):
        evening.perform("ban", who="bob")

    assert evening.host.lobby.accounts.bans == {}


async def test_the_answer_names_the_ban_and_the_disconnected_guests(evening):
    assert evening.perform("ban", who="ada") == f"The key {KEY} of ada is banned; 1 disconnected: ada."
    assert evening.perform("ban", who="10.0.0.2") == "The address 10.0.0.2 is banned; 1 disconnected: bela."
    assert evening.perform("ban", who=OTHER) == f"The key {OTHER} is banned; 0 disconnected."


async def test_a_known_guest_who_is_absent_can_be_banned_by_name(evening):
    evening.host.lobby.accounts.remember(OTHER, "chen")

    assert "0 disconnected" in evening.perform("ban", who="chen")
    assert OTHER in evening.host.lobby.accounts.bans


async def test_a_guest_whose_name_looks_like_an_address_is_not_mistaken_for_it(evening):
    evening.links[3] = evening.host._links[3] = RecordingLink()
    evening.host.lobby.front.connect(3, Visitor("x", OTHER, address="10.0.0.3"))
    evening.say(3, Hello(PROTOCOL, "test"))
    evening.say(3, Enter("10.0.0.1"))
    with pytest.raises(AdminError, match="is a name and an address; use --name or --address"):
        evening.perform("kick", who="10.0.0.1")

    assert (
        evening.perform("kick", who="10.0.0.1", kind="address") == "With the address 10.0.0.1: 1 disconnected: ada."
    )
    assert not evening.links[3].closed
    assert "of 10.0.0.1 is banned" in evening.perform("ban", who="10.0.0.1", kind="name")
    assert list(evening.host.lobby.accounts.bans) == [OTHER]
    assert evening.links[3].closed


async def test_a_kicked_guest_may_return(evening):
    assert "1 disconnected" in evening.perform("kick", who="bela")
    assert evening.host.lobby.accounts.bans == {}
    evening.host.lobby.disconnect(2)
    assert any(isinstance(message, Entered) for message in evening.enter(3, "bela"))


async def test_a_table_can_be_closed_and_its_guests_are_informed(evening):
    evening.perform("close", who="1")

    assert any(isinstance(message, Left) for message in evening.links[1].sent)
    assert evening.host.lobby.tables == {}


async def test_an_announcement_of_the_operator_reaches_every_table(evening):
    evening.perform("announce", text="restart in five minutes")

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
async def test_an_invalid_request_is_refused_in_words(evening, request_, words):
    with pytest.raises(AdminError, match=words):
        perform(evening.host, request_)


async def test_the_socket_is_for_the_hosts_own_user_and_goes_with_the_host(evening, tmp_path):
    async with serve_admin(evening.host, tmp_path):
        assert stat.S_IMODE((tmp_path / SOCKET_NAME).stat().st_mode) == 0o600

    with pytest.raises(AdminError, match="No host is running"):
        ask(tmp_path, {"do": "status"})


async def test_a_request_over_the_socket_is_answered_or_refused_in_words(evening, tmp_path):
    async with serve_admin(evening.host, tmp_path):
        lines = await asyncio.to_thread(ask, tmp_path, {"do": "status"})
        assert lines[-1] == "Everything is saved."
        with pytest.raises(AdminError, match="no command"):
            await asyncio.to_thread(ask, tmp_path, {"do": "dance"})


async def test_the_socket_closes_a_connection_that_sends_nonsense(evening, tmp_path):
    async with serve_admin(evening.host, tmp_path):
        reader, writer = await asyncio.open_unix_connection(tmp_path / SOCKET_NAME)
        writer.write(b"nonsense\n")
        assert await reader.read() == b""
        writer.close()


async def test_a_standalone_host_cannot_hand_over_its_tables(evening):
    with pytest.raises(AdminError, match="This host is alone"):
        evening.perform("drain")


@pytest.mark.parametrize(("owner", "joined"), [(KEY, OTHER), (OTHER, KEY)])
@pytest.mark.parametrize("who", ["ada", KEY, OTHER])
async def test_all_keys_of_an_account_are_banned_whichever_is_connected(evening, owner, joined, who):
    accounts = evening.host.lobby.accounts
    accounts.bind(joined, accounts.offer(owner, 0.0), 1.0)

    assert "1 disconnected: ada" in evening.perform("ban", who=who)
    assert {KEY, OTHER} == set(accounts.bans)


async def test_keys_are_parted_from_an_account_by_its_name_once(evening):
    accounts = evening.host.lobby.accounts
    accounts.bind(OTHER, accounts.offer(KEY, 0.0), 1.0)

    assert evening.perform("unbind", who="ada") == f"{OTHER} has an account of its own again."
    with pytest.raises(AdminError, match="joined no account"):
        evening.perform("unbind", who=OTHER)


@pytest.mark.parametrize(("owner", "joined"), [(KEY, OTHER), (OTHER, KEY)])
async def test_only_the_connection_of_a_parted_key_is_closed(evening, owner, joined):
    accounts = evening.host.lobby.accounts
    accounts.bind(joined, accounts.offer(owner, 0.0), 1.0)
    evening.perform("unbind", who=joined)

    assert evening.links[1].closed == (joined == KEY)
    assert (evening.links[1].sent[-1] == Bye(KEY_UNBOUND)) == (joined == KEY)
    assert not evening.links[2].closed


async def test_a_pardon_accepts_every_target_of_a_ban(evening):
    for ban, pardon in (
        ("ada", "ada"),
        ("ada", KEY),
        (KEY, "ada"),
        ("10.0.0.2", "10.0.0.2"),
        ("10.0.0.2", "::ffff:10.0.0.2"),
    ):
        evening.perform("ban", who=ban)
        assert evening.perform("pardon", who=pardon).endswith("is no longer banned.")
        assert evening.perform("bans") == "Nobody is banned."


async def test_a_pardon_of_another_kind_than_the_ban_is_refused(evening):
    evening.perform("ban", who="ada")
    with pytest.raises(AdminError, match="is not banned"):
        evening.perform("pardon", who="ada", kind="address")
    assert list(evening.host.lobby.accounts.bans) == [KEY]


async def test_a_list_of_bans_shows_the_names_of_keys(evening):
    evening.perform("ban", who=KEY, why="floods")
    assert evening.perform("bans").startswith(f"{KEY}  ada  since 20")
    assert evening.perform("bans").endswith("  floods")


async def test_a_ban_with_an_end_is_lifted_at_that_moment(evening):
    answer = evening.perform("ban", who="ada", **{"for": "7d"})
    ban = evening.host.lobby.accounts.bans[KEY]
    end = datetime.now(UTC) + timedelta(days=7)
    assert abs(datetime.strptime(ban.until, MOMENT).replace(tzinfo=UTC) - end) <= timedelta(minutes=1)
    assert f"is banned until {ban.until}" in answer
    assert f"until {ban.until}" in evening.perform("bans")
    accounts = evening.host.lobby.accounts
    assert accounts.ended_bans((end - timedelta(minutes=2)).strftime(MOMENT)) == []
    assert accounts.ended_bans((end + timedelta(minutes=2)).strftime(MOMENT)) == [KEY]


async def test_a_running_host_lifts_bans_that_have_ended(evening, tmp_path):
    evening.host.lobby.accounts.ban(KEY, "", "2026-01-01/2026-01-08T12:00Z")
    evening.host.lobby.accounts.ban(OTHER, "", "2026-01-01")
    async with serve_admin(evening.host, tmp_path), asyncio.timeout(30):
        await until(lambda: KEY not in evening.host.lobby.accounts.bans)
    assert list(evening.host.lobby.accounts.bans) == [OTHER]


@pytest.mark.parametrize("span", ["soon", "0d", "7", "7y", "-1d", "123456d", "d"])
async def test_a_ban_of_a_malformed_duration_is_refused(evening, span):
    with pytest.raises(AdminError, match="is not a duration"):
        evening.perform("ban", who="ada", **{"for": span})
    assert evening.host.lobby.accounts.bans == {}


async def test_an_announcement_of_the_operator_reaches_the_lobby_as_well_as_the_tables(evening):
    evening.perform("announce", text="Tea is ready.")
    assert all(Said("", -1, "Tea is ready.") in evening.links[number].sent for number in (1, 2))


async def test_no_match_begins_before_a_maintenance_and_matches_go_on(evening):
    evening.say(2, MakeTable("draw", 2, bots=1))
    assert "countdown of 15 minutes" in evening.perform("maintenance", minutes="15")
    assert "MAINTENANCE in 15 minutes" in evening.perform("status")

    for guest, request in ((1, FillWithBots()), (3, Sit(1)), (3, MakeTable("draw", 2, bots=1))):
        if guest not in evening.links:
            evening.enter(guest, "cleo")
        evening.say(guest, request)
        refused = evening.links[guest].sent[-1]
        assert isinstance(refused, Refused)
        assert "15 minutes; no new match begins" in str(refused.reason)
    evening.say(3, Sit(2))
    assert not isinstance(evening.links[3].sent[-1], Refused), "a bot's seat in a match is free for a guest"

    assert "called off" in evening.perform("maintenance", minutes="off")
    evening.say(1, FillWithBots())
    assert evening.host.lobby.tables[1].phase != "waiting"


async def test_every_guest_learns_of_a_maintenance_once_at_its_announcement_or_on_entering(evening):
    evening.perform("maintenance", minutes="1")
    for number in (1, 2):
        assert [message.maintenance for message in evening.links[number].sent if isinstance(message, Said)] == [60.0]
    assert 59 < evening.enter(3, "cleo")[-1].maintenance <= 60
    evening.perform("maintenance", minutes="off")
    assert evening.links[3].sent[-1].maintenance == -1
    assert not any(isinstance(message, Said) for message in evening.enter(4, "dean"))


async def test_everybody_is_reminded_of_a_maintenance_until_it_begins(evening):
    evening.host.announce(announcement(0.001))
    messages = evening.links[2].sent
    await until(lambda: isinstance(messages[-1], Said) and "Maintenance now:" in messages[-1].text)
    with pytest.raises(Illegal, match="now; no new match begins"):
        evening.host.maintenance.check_new_match()


def test_the_next_reminder_of_a_maintenance_is_the_nearest_one():
    now = [0.0]
    maintenance = Maintenance(lambda: now[0])
    maintenance.follow(announcement(720))
    reminders = []
    while (seconds := maintenance.next_reminder) is not None:
        now[0] += seconds
        reminders.append(maintenance.seconds_left)
    assert reminders == [600, 300, 120, 60, 0]
    maintenance.follow(CALLED_OFF)
    assert (maintenance.next_reminder, maintenance.message) == (None, None)


@pytest.mark.parametrize("minutes", ["", "0", "-5", "soon", "1441", "1e3", "٣", "9" * 40])
async def test_a_maintenance_needs_a_number_of_minutes(evening, minutes):
    with pytest.raises(AdminError, match="write 1 to 1440 minutes, or off"):
        evening.perform("maintenance", minutes=minutes)
    assert evening.host.maintenance.seconds_left is None


async def test_a_notice_is_sent_to_the_lobby_and_to_new_guests_until_it_is_withdrawn(evening):
    assert "on entering" in evening.perform("notice", text="Cup on Friday")
    notice = Said("", -1, "Cup on Friday")
    assert notice in evening.links[2].sent
    assert notice not in evening.links[1].sent
    assert evening.enter(3, "cleo")[-1] == notice
    assert evening.perform("notice", text="") == "There is no notice any more."
    assert notice not in evening.enter(4, "dean")


async def test_an_export_has_everything_stored_about_a_player(evening):
    evening.say(1, Say("hello"))
    evening.perform("ban", who=OTHER)
    export = json.loads(evening.perform("export", who="ada"))
    assert export == {
        "name": "ada",
        "keys": [KEY],
        "bans": [],
        "tables": [{"table": 1, "game": "draw", "seats": [0], "said": ["hello"], "opened": True, "removed": False}],
    }
    assert json.loads(evening.perform("export", who=KEY)) == export


async def test_an_export_of_a_guest_without_a_key_is_refused_with_the_reason(evening):
    with pytest.raises(AdminError, match="names of guests without a key are not stored"):
        evening.perform("export", who="bela")


async def test_a_player_who_is_part_of_an_open_or_quarantined_table_is_not_forgotten(evening):
    accounts = evening.host.lobby.accounts
    with pytest.raises(AdminError, match="ada is still part of table 1"):
        evening.perform("forget", who="ada")
    assert accounts.name_of(KEY) == "ada"
    evening.perform("close", who="1")
    evening.host.lobby.quarantined_tables.add(9, [KEY])
    with pytest.raises(AdminError, match="ada is still part of table 9"):
        evening.perform("forget", who="ada")
    assert accounts.name_of(KEY) == "ada"


async def test_a_forgotten_player_is_disconnected_and_their_name_is_free(evening):
    accounts = evening.host.lobby.accounts
    accounts.bind(OTHER, accounts.offer(KEY, 0.0), 0.0)
    evening.perform("close", who="1")
    evening.perform("forget", who="ada")
    assert any(isinstance(message, Bye) for message in evening.links[1].sent)
    evening.host.lobby.disconnect(1)
    assert accounts.name_of(KEY) == ""
    assert accounts.account_of(OTHER) == OTHER
    assert any(isinstance(message, Entered) for message in evening.enter(3, "ada"))
