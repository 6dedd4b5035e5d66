"""Reasons why a host cannot be joined: a sentence for each, and those after which a retry makes sense."""

import asyncio
import socket

import asyncssh
import pytest

from core.words import Words
from net.ssh.client.connect import JoinError, UnreachableError, join_error


@pytest.mark.parametrize(
    ("error", "can_retry", "sentence"),
    [
        (socket.gaierror(), True, "There is no server called example.org."),
        (ConnectionRefusedError(111, "no"), True, "Nothing answers at example.org:2222; is the server running"),
        (TimeoutError(), True, "example.org:2222 did not answer in time."),
        (asyncssh.PermissionDenied("no"), False, "perhaps its operator has to add your key first."),
        (asyncssh.ConnectionLost("gone"), True, "closed the connection before the game began; it may be full."),
        (asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, ""), True, "has no room for you now."),
        (
            asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, "no"),
            False,
            "is not a Boneyard server.",
        ),
        (
            asyncssh.DisconnectError(asyncssh.DISC_BY_APPLICATION, "You are \x1b[2Jbanned."),
            True,
            "You are [2Jbanned.",
        ),
        (OSError(101, "Network is unreachable"), True, "cannot be reached: Network is unreachable."),
        (asyncio.IncompleteReadError(b"", 4), True, "example.org:2222 cannot be joined: "),
    ],
)
def test_every_failure_is_a_translatable_sentence_and_says_if_a_retry_may_help(error, can_retry, sentence):
    message = join_error(error, "example.org", "example.org:2222")

    assert sentence in str(message)
    assert isinstance(message.reason, Words)
    assert isinstance(message, JoinError)
    assert isinstance(message, UnreachableError) is can_retry
