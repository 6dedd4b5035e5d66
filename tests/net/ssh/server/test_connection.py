"""Invitations and listed keys over real SSH: an identity has only keys that were proved."""

import asyncio

import asyncssh
import pytest
from asyncssh.auth import MSG_USERAUTH_INFO_RESPONSE
from asyncssh.connection import MSG_USERAUTH_REQUEST
from asyncssh.packet import Boolean, String, UInt32

from net.host.access import Access
from net.limits import Limits
from net.ssh.client.connect import Invitation, JoinError
from net.ssh.keys import load_or_create_key
from net.ssh.server.connection import Connection
from tests.net.ssh_room import connect_link, connect_stranger, open_terminal, serve_room, with_timeout

CODE = "double six"
ANN, BOB = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))


@pytest.fixture
async def invited(room, tmp_path):
    """Yield a host that asks for the code."""
    async with serve_room(room, tmp_path, access=Access(invite=CODE)) as server:
        yield server


class Caller(asyncssh.SSHClient):
    """A client that answers with codes, one after the other, and may do something else before each."""

    def __init__(self, *codes, trick=None):
        self.codes = list(codes)
        self.trick = trick
        self.prompts = []

    def connection_made(self, conn):
        self.conn = conn

    def kbdint_auth_requested(self):
        return "" if self.codes else None

    def kbdint_challenge_received(self, name, instructions, lang, prompts):
        self.prompts.append(prompts)
        trick, self.trick = self.trick, None
        return trick(self.conn) if trick else [self.codes.pop(0)]


async def identity_of(server, room, caller, keys=(), **options):
    """Log in; return the identity that the host noted."""
    defaults = {"client_keys": list(keys) or None, "client_factory": lambda: caller, "username": "ann"}
    async with await with_timeout(connect_stranger(server, **defaults | options)) as connection:
        await open_terminal(connection)
        identity, _ = await with_timeout(room.guests.get())
        return identity


async def login_error(server, caller, keys=(), **options):
    """Fail to log in; return the error with which the host disconnected."""
    with pytest.raises(asyncssh.DisconnectError) as error:
        await with_timeout(
            connect_stranger(server, client_keys=list(keys) or None, client_factory=lambda: caller, **options)
        )
    return error.value


def offer(conn, key, sign=False):
    """Ask by hand whether a key would be accepted, or with `sign` send an invalid signature."""
    data = key.public_data
    signature = String(String(b"ssh-ed25519") + String(b"\0" * 64)) if sign else b""
    fields = (Boolean(sign), String(b"ssh-ed25519"), String(data), signature)
    packet = conn._get_userauth_request_packet(b"publickey", fields)
    conn.send_packet(MSG_USERAUTH_REQUEST, packet[1:])


def forged_pair(key):
    """Return a key pair that offers another guest's key and cannot sign with it."""
    pair = asyncssh.load_keypairs([key])[0]
    pair.sign = lambda data: String(b"ssh-ed25519") + String(b"\0" * 64)
    return pair


# The code


async def test_a_guest_without_a_key_gives_the_code_and_has_no_key(invited, room):
    caller = Caller(CODE)
    identity = await identity_of(invited, room, caller)
    assert (identity.user, identity.key) == ("ann", None)
    assert caller.prompts == [[("Invitation code: ", False)]]


async def test_a_guest_with_a_key_proves_it_and_gives_the_code(invited, room):
    identity = await identity_of(invited, room, Caller(CODE), [ANN])
    assert (identity.user, identity.key) == ("ann", ANN.get_fingerprint())


async def test_a_key_without_the_code_is_refused(invited):
    await login_error(invited, Caller(), [ANN])


@pytest.mark.parametrize("keys", [[], [ANN]], ids=["no key", "key"])
async def test_a_wrong_code_is_refused_and_the_next_may_be_right(invited, room, keys):
    await login_error(invited, Caller("double five"), keys)
    identity = await identity_of(invited, room, Caller("double five", CODE), keys)
    assert identity.key == (keys[0].get_fingerprint() if keys else None)


async def test_programs_that_know_only_passwords_give_the_code_as_one(invited, room):
    options = {"preferred_auth": "publickey,password", "password": CODE}
    assert (await identity_of(invited, room, Caller(), [ANN], **options)).key == ANN.get_fingerprint()
    assert (await identity_of(invited, room, Caller(), **options)).key is None
    await login_error(invited, Caller(), password="double five", preferred_auth="password")


async def test_an_open_host_asks_for_nothing_and_takes_no_passwords(server, room):
    caller = Caller("anything")
    assert (await identity_of(server, room, caller)).key is None
    assert caller.prompts == []
    await login_error(server, Caller(), password="anything", preferred_auth="password")


async def test_guessing_codes_locks_out_the_whole_address_and_its_guests_play_on(room, tmp_path):
    limits = Limits(wrong_invitations=3, wrong_invitation_forgiven=1e6)
    access = Access(invite=CODE, limits=limits)
    async with (
        serve_room(room, tmp_path, access=access, limits=limits) as server,
        connect_stranger(server, BOB, client_factory=lambda: Caller(CODE)) as inside,
    ):
        channel, session = await open_terminal(inside)
        error = await login_error(server, Caller("one", "two", "three", CODE), [ANN])
        assert "Too many wrong invitations from your address; wait a few minutes." in error.reason
        with pytest.raises(asyncssh.DisconnectError, match="Too many wrong invitations"):
            await with_timeout(connect_stranger(server, client_factory=lambda: Caller(CODE)))
        channel.write(b"still here")
        await session.wait_for(b"still here")


# Tricks. In each case the identity has only a key whose signature was checked under the same name.


async def test_a_key_that_was_offered_without_a_signature_identifies_no_guest(invited, room):
    identity = await identity_of(invited, room, Caller(CODE), [forged_pair(ANN)])
    assert identity.key is None


async def test_a_proved_key_stays_the_identity_if_another_is_offered_later(invited, room):
    async def offer_and_wait(conn):
        offer(conn, BOB)
        await asyncio.Event().wait()

    caller = Caller(CODE, trick=offer_and_wait)
    identity = await identity_of(invited, room, caller, [ANN])
    assert identity.key == ANN.get_fingerprint()
    assert len(caller.prompts) == 2  # the offer was refused, and ended the first question


@pytest.mark.parametrize(("keys", "sign"), [([], True), ([ANN], True), ([ANN], False)])
async def test_a_key_offered_together_with_the_right_code_identifies_no_guest(invited, room, keys, sign):
    async def answer_and_offer(conn):
        conn.send_packet(MSG_USERAUTH_INFO_RESPONSE, UInt32(1), String(CODE))
        offer(conn, BOB, sign)
        await asyncio.Event().wait()

    identity = await identity_of(invited, room, Caller(CODE, trick=answer_and_offer), keys)
    assert identity.key == (ANN.get_fingerprint() if keys else None)


async def test_a_key_proved_under_one_name_is_not_kept_for_another(invited, room):
    class Changer(Caller):
        def kbdint_auth_requested(self):
            self.conn._username = "bob"
            return super().kbdint_auth_requested()

    identity = await identity_of(invited, room, Changer(CODE), [ANN])
    assert (identity.user, identity.key) == ("bob", None)


async def test_a_name_changed_and_changed_back_proves_nothing(invited, room):
    async def away_and_back(conn):
        conn._username = "bob"
        offer(conn, BOB, sign=True)
        conn._username = "ann"
        await asyncio.Event().wait()

    identity = await identity_of(invited, room, Caller(CODE, trick=away_and_back), [ANN])
    assert (identity.user, identity.key) == ("ann", None)


async def test_a_key_proved_twice_without_the_code_is_refused(invited):
    class TwiceProving(Caller):
        def kbdint_auth_requested(self):
            if not self.prompts:
                self.prompts.append("again")
                offer(self.conn, ANN, sign=True)

    await login_error(invited, TwiceProving(), [ANN, ANN])


async def test_a_login_that_skipped_the_code_opens_no_terminal(invited, room, monkeypatch):
    monkeypatch.setattr(Connection, "_prove", lambda connection: connection._send_success())
    with pytest.raises((asyncssh.Error, OSError)):
        async with await with_timeout(connect_stranger(invited, ANN, client_factory=Caller)) as connection:
            await open_terminal(connection)
    assert room.guests.empty()


# Listed keys


@pytest.mark.parametrize("invite", ["", CODE])
async def test_a_listed_key_enters_unasked(room, tmp_path, invite):
    access = Access(invite=invite, listed_keys=lambda: {ANN.get_fingerprint()})
    async with serve_room(room, tmp_path, access=access) as server:
        caller = Caller("never asked")
        assert (await identity_of(server, room, caller, [ANN])).key == ANN.get_fingerprint()
        assert caller.prompts == []


async def test_with_listed_keys_no_other_guest_is_admitted_or_asked(room, tmp_path):
    access = Access(listed_keys=lambda: {ANN.get_fingerprint()})
    async with serve_room(room, tmp_path, access=access) as server:
        for keys in ([], [BOB], [forged_pair(ANN)]):
            caller = Caller(CODE)
            await login_error(server, caller, keys)
            assert caller.prompts == []


async def test_where_keys_are_listed_others_need_the_code(room, tmp_path):
    access = Access(invite=CODE, listed_keys=lambda: {ANN.get_fingerprint()})
    async with serve_room(room, tmp_path, access=access) as server:
        assert (await identity_of(server, room, Caller(CODE), [BOB])).key == BOB.get_fingerprint()
        assert (await identity_of(server, room, Caller(CODE), [forged_pair(ANN)])).key is None
        await login_error(server, Caller("double five"), [BOB])


# The real client


@pytest.mark.parametrize("with_key", [False, True])
async def test_openssh_asks_for_the_code_and_keeps_the_key(client, room, invited, with_key):
    path, fingerprint = client.key("ann") if with_key else (None, None)
    ann = client.start(invited.port, key=path)
    await ann.wait_for("Invitation code: ")
    ann.type("double five\r")
    await ann.wait_for(lambda player: player.text.count("Invitation code: ") == 2)
    ann.type(f"{CODE}\r")
    await ann.wait_for("hello ann")
    assert CODE not in ann.text
    identity, _ = await with_timeout(room.guests.get())
    assert (identity.user, identity.key) == ("ann", fingerprint)


async def test_openssh_is_offered_every_login_method(client, invited):
    _, _, err = await client.run(invited.port, "-v", "-o", "BatchMode=yes", "127.0.0.1")
    offered = {line.split(": ", 2)[2].strip() for line in err.splitlines() if "can continue" in line}
    assert offered == {"publickey,keyboard-interactive,password"}


# `boneyard join`


async def test_a_join_is_asked_for_the_code_once_and_never_again(invited, room, tmp_path):
    questions = []

    async def ask():
        questions.append("asked")
        return CODE

    invitation = Invitation(ask=ask)
    for _ in range(2):
        async with connect_link(invited, tmp_path, invitation=invitation) as link:
            link.send(b"ab")
            assert await with_timeout(link.receive()) == b"ba"
    (first_identity, _), (second_identity, _) = (
        await with_timeout(room.players.get()),
        await with_timeout(room.players.get()),
    )
    assert first_identity.key == second_identity.key is not None
    assert questions == ["asked"]


async def test_a_join_that_gave_a_wrong_code_is_asked_again(invited, tmp_path):
    codes = ["double five", CODE]
    invitation = Invitation(ask=lambda: codes.pop(0))
    with pytest.raises(JoinError, match="did not accept this invitation"):
        async with connect_link(invited, tmp_path, invitation=invitation):
            pass
    async with connect_link(invited, tmp_path, invitation=invitation) as link:
        link.send(b"ab")
        assert await with_timeout(link.receive()) == b"ba"


async def test_a_join_that_knows_the_code_is_not_asked(invited, tmp_path):
    async with connect_link(invited, tmp_path, invitation=Invitation(CODE)) as link:
        link.send(b"ab")
        assert await with_timeout(link.receive()) == b"ba"


async def test_an_open_host_needs_no_invitation_and_asks_for_none(server, tmp_path):
    async with connect_link(server, tmp_path, invitation=Invitation("an old one", pytest.fail)) as link:
        link.send(b"ab")
        assert await with_timeout(link.receive()) == b"ba"


@pytest.mark.parametrize(
    ("invitation", "words"),
    [
        ({}, "requires an invitation code; ask its operator for it"),
        ({"ask": lambda: ""}, "requires an invitation code; ask its operator for it"),
        ({"code": "double five"}, "did not accept this invitation; is the code right"),
        ({"ask": lambda: "double five"}, "did not accept this invitation; is the code right"),
    ],
)
async def test_a_join_without_the_right_code_is_refused_in_one_sentence(invited, tmp_path, invitation, words):
    with pytest.raises(JoinError, match=words):
        async with connect_link(invited, tmp_path, invitation=Invitation(**invitation)):
            pass


async def test_a_join_that_guesses_is_shut_out(room, tmp_path):
    limits = Limits(wrong_invitations=1, wrong_invitation_forgiven=1e6)
    async with serve_room(room, tmp_path, access=Access(invite=CODE, limits=limits), limits=limits) as server:
        with pytest.raises(JoinError, match="did not accept this invitation"):
            async with connect_link(server, tmp_path, invitation=Invitation("double five")):
                pass
        with pytest.raises(JoinError, match="Too many wrong invitations from your address"):
            async with connect_link(server, tmp_path, invitation=Invitation(CODE)):
                pass


async def test_a_join_that_is_banned_reports_the_hosts_own_sentence(room, tmp_path):
    key = load_or_create_key(tmp_path / "mine/key", "bob")
    async with serve_room(room, tmp_path, access=Access(bans=lambda: {key.get_fingerprint()})) as server:
        with pytest.raises(JoinError, match=r"^You are banned from this server\.$"):
            async with connect_link(server, tmp_path):
                pass


async def test_a_join_whose_key_is_not_listed_reports_so(room, tmp_path):
    async with serve_room(room, tmp_path, access=Access(listed_keys=frozenset)) as server:
        with pytest.raises(JoinError, match="did not let you in; perhaps its operator has to add your key first"):
            async with connect_link(server, tmp_path):
                pass
