"""The key with which a player logged in, and the signatures of that key."""

import asyncio
from types import SimpleNamespace

import asyncssh
import pytest

import net.ssh.client.connect
from core.records import Signature
from net.ssh.client.connect import LoginKeys, key_pairs

KEY, HOST = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
STATEMENT = b"boneyard witness\nseat 0\n"


def log_in(pair=None):
    login = LoginKeys()
    login.record_login(pair or asyncssh.load_keypairs([KEY])[0], HOST)
    return login


async def test_a_signature_with_the_key_of_the_login_holds_for_its_statement_alone():
    login = log_in()
    signature = await login.sign(STATEMENT)

    assert login.check(STATEMENT, signature) == KEY.get_fingerprint()
    assert login.check(STATEMENT + b".", signature) == ""


def test_the_host_is_known_by_its_key_after_the_login():
    assert LoginKeys().host == ""
    assert log_in().host == HOST.get_fingerprint()


async def test_a_guest_without_a_key_signs_nothing():
    login = LoginKeys()
    assert await login.sign(STATEMENT) == Signature()
    login.record_login(None, HOST)
    assert await login.sign(STATEMENT) == Signature()


async def test_a_security_key_is_not_asked_to_sign():
    def sign(_data):
        raise AssertionError("the security key was asked")

    token = SimpleNamespace(get_algorithm=lambda: "sk-ssh-ed25519@openssh.com", sign=sign)

    assert await log_in(token).sign(STATEMENT) == Signature()


class Agent(asyncssh.SSHAgentKeyPair):
    """A key in an agent whose behaviour a test sets."""

    def __init__(self, answer):
        super().__init__(None, b"ssh-ed25519", KEY.public_data, b"in an agent")
        self.answer = answer

    async def sign_async(self, data):
        return await self.answer(data)


async def refuse(_data):
    raise ValueError("agent refused operation")


async def wait_forever(_data):
    await asyncio.Event().wait()


@pytest.mark.parametrize("answer", [refuse, wait_forever])
async def test_an_agent_that_refuses_or_never_answers_gives_no_signature(monkeypatch, answer):
    monkeypatch.setattr(net.ssh.client.connect, "SIGN_TIMEOUT", 0.05)

    assert await log_in(Agent(answer)).sign(STATEMENT) == Signature()


async def test_a_player_without_keys_gets_one_of_their_own_and_keeps_it(tmp_path):
    key_path = tmp_path / "mine" / "key"
    (first_key,) = await key_pairs([tmp_path / "none"], None, key_path)
    (second_key,) = await key_pairs([tmp_path / "none"], None, key_path)

    assert first_key.public_data == second_key.public_data == asyncssh.read_private_key(key_path).public_data


async def test_a_player_with_keys_offers_them_in_order_and_makes_none(tmp_path):
    paths = []
    for key in (KEY, HOST):
        paths.append(tmp_path / key.get_fingerprint()[7:12].replace("/", "-"))
        key.write_private_key(paths[-1])
    pairs = await key_pairs(paths, None, tmp_path / "own")

    assert [pair.public_data for pair in pairs] == [KEY.public_data, HOST.public_data]
    assert not (tmp_path / "own").exists()


async def test_a_missing_agent_is_ignored(tmp_path):
    path = tmp_path / "id"
    KEY.write_private_key(path)
    pairs = await key_pairs([path], str(tmp_path / "no agent"), tmp_path / "own")

    assert [pair.public_data for pair in pairs] == [KEY.public_data]
