"""Updates of the lobby: at once, never two at the same time, and no player waits for them."""

import asyncio
from types import SimpleNamespace

import pytest

from net.host.guest_server import LobbyUpdates
from net.limits import NEWS_EVERY, NEWS_GUESTS
from tests.waiting import run_loop


class Lobby:
    """Guests who are sent a number that counts up."""

    def __init__(self, guests):
        self.guests = guests
        self.rounds = 0
        self.sent = []
        self.news = LobbyUpdates(self.begin, self.sent.append)

    def begin(self):
        self.rounds += 1
        yield from ([(guest, self.rounds)] for guest in range(self.guests))


class Pause:
    """The pause after an update, which ends when the test says so."""

    def __init__(self, monkeypatch):
        self.seconds = None
        """Length of the current pause; None without one."""
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", self._begin)

    def _begin(self, seconds, callback):
        self.seconds, self._callback = seconds, callback
        return SimpleNamespace(cancel=lambda: None)

    def end(self):
        self.seconds = None
        self._callback()


@pytest.fixture
async def pause(monkeypatch):
    monkeypatch.setattr("net.host.guest_server.NEWS_EVERY", NEWS_EVERY)
    return Pause(monkeypatch)


async def test_all_guests_get_an_update_at_once_but_not_in_one_iteration_of_the_loop(pause):
    lobby = Lobby(3)
    lobby.news.note_change()
    assert lobby.sent == []
    for iteration in range(1, 4):
        await asyncio.sleep(0)
        assert len(lobby.sent) <= iteration
    await run_loop(30)
    assert lobby.sent == [[(0, 1)], [(1, 1)], [(2, 1)]]
    assert pause.seconds == NEWS_EVERY


async def test_changes_during_the_pause_are_sent_after_it_once(pause):
    lobby = Lobby(1)
    lobby.news.note_change()
    await run_loop(30)
    for _ in range(5):
        lobby.news.note_change()
    await run_loop(30)
    assert lobby.rounds == 1
    pause.end()
    await run_loop(30)
    assert lobby.rounds == 2
    pause.end()
    await run_loop(30)
    assert lobby.rounds == 2, "nothing has changed since"
    lobby.news.note_change()
    await run_loop(30)
    assert lobby.rounds == 3, "sent at once, since the pause is over"


async def test_a_full_lobby_gets_fewer_updates(pause):
    lobby = Lobby(2 * NEWS_GUESTS)
    lobby.news.note_change()
    await run_loop(2 * NEWS_GUESTS + 5)
    assert pause.seconds == 2 > NEWS_EVERY


async def test_no_guest_gets_an_update_after_the_end():
    lobby = Lobby(3)
    lobby.news.note_change()
    lobby.news.close()
    lobby.news.note_change()
    await run_loop(30)
    assert lobby.sent == []
