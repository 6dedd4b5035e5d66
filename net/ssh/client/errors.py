"""Why a host cannot be joined, in a sentence for the player."""

import errno
import socket

import asyncssh

from core.words import Refusal, Words, words
from net.limits import CHAT_LENGTH
from net.players.text import clean


class JoinError(Refusal):
    """The host cannot be joined; the sentence says why and, if possible, what to do."""


class Unreachable(JoinError):  # noqa: N818 - what it says of the host
    """The host cannot be joined now, but perhaps later."""


def failure(error: Exception, host: str, way: str) -> JoinError:
    """Say why a host cannot be joined that was to be reached by `way`; tell errors that may pass from others."""
    final = isinstance(error, asyncssh.PermissionDenied | asyncssh.ChannelOpenError)
    full = isinstance(error, asyncssh.ChannelOpenError) and error.code == asyncssh.OPEN_RESOURCE_SHORTAGE
    return (JoinError if final and not full else Unreachable)(_sentence(error, host, way))


def _sentence(error: Exception, host: str, way: str) -> Words:
    match error:
        case socket.gaierror():
            return words("There is no host called {name}.", name=host)
        case OSError() if str(errno.ECONNREFUSED) in f"{error.errno or error}":  # or in a list of several attempts
            return words("Nobody listens at {way}; is the host running, and is that its port?", way=way)
        case asyncssh.ChannelOpenError(code=asyncssh.OPEN_RESOURCE_SHORTAGE):
            return _said(error.reason) or words("{way} has no room for you now.", way=way)
        case asyncssh.DisconnectError(code=asyncssh.DISC_BY_APPLICATION):
            said = error.reason.removesuffix(f" (error {error.code})")  # asyncssh's own addition
            return _said(said) or words("{way} did not let you in.", way=way)
        case TimeoutError():
            return words("{way} did not answer in time.", way=way)
        case asyncssh.PermissionDenied():
            return words("{way} did not let you in; perhaps its owner must add your key first.", way=way)
        case asyncssh.ConnectionLost() | ConnectionResetError():
            return words("{way} closed the connection before the game began; it may be full.", way=way)
        case asyncssh.Error():  # above all a refused subsystem
            return words("{way} answers, but it is not a Boneyard host.", way=way)
        case OSError():
            return words("{way} cannot be reached: {reason}.", way=way, reason=error.strerror or str(error))
    return words("{way} cannot be joined: {reason}.", way=way, reason=str(error))


def _said(reason: str) -> Words | None:
    """What a host said, if it said something."""
    said = clean(reason, CHAT_LENGTH)
    return words("{sentence}", sentence=said) if said else None
