"""Rounds of news: at once, not twice at once, and nobody who plays waits for them."""

import asyncio

import pytest

from net.host import news
from net.host.news import News


class Lobby:
    """Guests who are told a number that counts up."""

    def __init__(self, guests):
        self.guests = guests
        self.rounds = 0
        self.told = []
        self.news = News(self.begin, self.told.append)

    def begin(self):
        self.rounds += 1
        yield from ([(guest, self.rounds)] for guest in range(self.guests))


@pytest.fixture
def brief(monkeypatch):
    monkeypatch.setattr(news, "NEWS_EVERY", 0.05)


async def test_everybody_is_told_at_once_but_not_in_one_turn_of_the_loop():
    lobby = Lobby(3)
    lobby.news.changed()
    assert lobby.told == []
    for most in range(1, 4):
        await asyncio.sleep(0)
        assert len(lobby.told) <= most
    await asyncio.sleep(0.01)
    assert lobby.told == [[(0, 1)], [(1, 1)], [(2, 1)]]
    lobby.news.close()


@pytest.mark.usefixtures("brief")
async def test_what_changes_during_the_pause_is_told_after_it_once():
    lobby = Lobby(1)
    lobby.news.changed()
    await asyncio.sleep(0.01)
    for _ in range(5):
        lobby.news.changed()
    await asyncio.sleep(0.01)
    assert lobby.rounds == 1
    await asyncio.sleep(0.2)
    assert lobby.rounds == 2, "and no third one, for nothing has changed since"
    lobby.news.changed()
    await asyncio.sleep(0.01)
    assert lobby.rounds == 3, "at once again"
    lobby.news.close()


async def test_a_full_lobby_hears_less_often(monkeypatch):
    monkeypatch.setattr(news, "NEWS_EVERY", 0.0)
    monkeypatch.setattr(news, "NEWS_GUESTS", 100.0)
    lobby = Lobby(20)
    lobby.news.changed()
    for _ in range(8):
        await asyncio.sleep(0.01)
        lobby.news.changed()
    assert lobby.rounds == 1
    await asyncio.sleep(0.4)
    assert lobby.rounds == 2
    lobby.news.close()


async def test_nobody_is_told_anything_after_the_end():
    lobby = Lobby(3)
    lobby.news.changed()
    lobby.news.close()
    lobby.news.changed()
    await asyncio.sleep(0.01)
    assert lobby.told == []
