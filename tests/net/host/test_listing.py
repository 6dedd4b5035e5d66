"""The list of tables: its order, its pages, its search, and that no search is repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.games import GAMES, games_named
from net.host import front as module
from net.host.front import Listing
from net.limits import TABLES_PER_PAGE
from net.wire.messages import Browse, SeatInfo, TableInfo

OPEN = TableInfo(1, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo()), 0, "waiting")
FULL = TableInfo(1, "ada", "draw", {}, (SeatInfo("ada"), SeatInfo("bela")), 0, "playing")

AWAY = replace(FULL, seats=(SeatInfo("ada", away=True), SeatInfo("Bo", "easy")))
"""A match against a bot alone, whose player is away."""


def listing_of(*infos, tokens=("", "")):
    listing = Listing()
    for info in infos:
        listing.put(info, tokens)
    return listing


def numbers(tables):
    return [info.id for info in tables.tables]


def test_tables_that_wait_for_players_come_first_then_the_oldest():
    listing = listing_of(replace(FULL, id=1), replace(OPEN, id=3), replace(FULL, id=2), replace(OPEN, id=4))
    assert numbers(listing.page(Browse())) == [3, 4, 1, 2]

    listing.put(replace(FULL, id=3), ("", ""))

    assert numbers(listing.page(Browse())) == [4, 1, 2, 3]


def test_an_unchanged_page_is_not_sent():
    listing = listing_of(OPEN)

    assert not listing.put(replace(OPEN), ("", ""))
    assert listing.put(replace(OPEN, watchers=1), ("", ""))
    assert listing.put(replace(OPEN, watchers=1), ("key ada", ""))


@pytest.mark.parametrize(
    ("words", "tables"),
    [
        ("", [1, 2, 3]),
        ("draw", [1]),
        ("DRAW", [1]),
        ("train", [2]),
        ("mexican train", [2]),
        ("bel", [1]),
        ("ela", []),
        ("bela mexican", []),
        ("ada draw", [1]),
        ("3", [3]),
        ("  jose  ", [3]),
        ("josé", [3]),
        ("all five", [3]),
        ("{} % ' \\", [1, 2, 3]),
    ],
)
def test_every_word_must_begin_a_name_of_the_game_or_of_a_player_or_the_number(words, tables):
    others = SeatInfo("José"), SeatInfo("dora")
    listing = listing_of(
        FULL,
        replace(FULL, id=2, game="mexican-train", seats=(SeatInfo("ada"), SeatInfo())),
        replace(FULL, id=3, game="all-fives", name="José", seats=others),
    )

    page = listing.page(Browse(words=words))

    assert numbers(page) == tables
    assert (page.total, page.open) == (len(tables), 3)


def test_free_seats_are_those_without_a_player():
    bot = replace(FULL, id=2, seats=(SeatInfo("ada"), SeatInfo("Bo", "easy")))

    assert numbers(listing_of(FULL, bot, replace(OPEN, id=3)).page(Browse(free=True))) == [3]


def test_reserved_tables_with_a_match_come_first_and_the_newest_before_older_ones():
    listing = listing_of(replace(FULL, id=1), replace(FULL, id=2), replace(OPEN, id=3), tokens=("key ada", ""))

    assert listing.reserved_tables("key ada") == [2, 1, 3]
    listing.drop(2)
    assert listing.reserved_tables("key ada") == [1, 3]
    listing.drop(1)
    listing.drop(3)
    assert listing.reserved_tables("key ada") == []
    assert len(listing) == 0


def test_a_page_beyond_the_last_is_the_last():
    listing = listing_of(*(replace(OPEN, id=number) for number in range(1, TABLES_PER_PAGE + 2)))

    last = listing.page(Browse(10**6))

    assert (numbers(last), last.page, last.total) == ([TABLES_PER_PAGE + 1], 1, TABLES_PER_PAGE + 1)
    assert listing_of().page(Browse(7)).page == 0


@given(st.integers(1, 3 * TABLES_PER_PAGE), st.data())
def test_the_pages_have_all_tables_once_with_those_of_the_guest_first(table_count, data):
    guests_tables = data.draw(st.sets(st.integers(1, table_count), max_size=TABLES_PER_PAGE))
    away_tables = data.draw(st.sets(st.sampled_from(sorted(guests_tables)))) if guests_tables else set()
    listing = Listing()
    for number in range(1, table_count + 1):
        info = AWAY if number in away_tables else OPEN
        listing.put(replace(info, id=number), ("key ada" if number in guests_tables else "", ""))

    pages = [listing.page(Browse(page), "key ada") for page in range(-(-table_count // TABLES_PER_PAGE))]

    listed = [number for page in pages for number in numbers(page)]
    reserved = sorted(guests_tables, key=lambda number: (number in away_tables, number), reverse=True)
    assert listed == [*reserved, *(number for number in range(1, table_count + 1) if number not in guests_tables)]
    assert {page.yours for page in pages} == {reserved[0] if guests_tables else -1}
    assert {page.reserved for page in pages} == {tuple(reserved)}
    assert {page.total for page in pages} == {table_count}
    assert all(len(page.tables) == TABLES_PER_PAGE for page in pages[:-1])


def test_a_match_against_bots_alone_is_listed_to_its_absent_player_only():
    listing = listing_of(replace(OPEN, id=1), tokens=("", ""))
    listing.put(replace(AWAY, id=2), ("key ada", ""))

    assert numbers(listing.page(Browse(), "key bela")) == [1]
    assert numbers(listing.page(Browse(), "key ada")) == [2, 1]
    assert numbers(listing.page(Browse(words="ada"), "key ada")) == [2, 1]
    assert (listing.page(Browse()).open, listing.page(Browse(), "key ada").open) == (1, 2)

    back = replace(AWAY, id=2, seats=(SeatInfo("ada"), SeatInfo("Bo", "easy")))
    for info in (back, replace(AWAY, id=2, watchers=1), replace(AWAY, id=2, seats=(SeatInfo("ada", away=True),) * 2)):
        listing.put(info, ("key ada", ""))
        assert numbers(listing.page(Browse(), "key bela")) == [1, 2]


def test_a_guests_table_is_not_listed_if_the_search_excludes_it():
    listing = listing_of(OPEN, tokens=("key ada", ""))

    page = listing.page(Browse(words="mexican"), "key ada")

    assert (page.tables, page.yours, page.total) == ((), 1, 0)


def test_equal_searches_of_a_hundred_guests_are_computed_once(monkeypatch):
    games, searched_words = list(GAMES), []
    monkeypatch.setattr(module, "games_named", lambda word: searched_words.append(word) or games_named(word))
    listing = Listing()
    for number in range(2500):
        info = replace(FULL, id=number, name=f"guest {number}", game=games[number % len(games)])
        listing.put(info, (f"key {number}", f"key {number + 1}"))
    for number in range(100):
        listing.page(Browse(number % 50, "guest", free=bool(number % 2)), f"key {number}")

    assert searched_words == ["guest", "guest"], "once with the full tables, once without"
