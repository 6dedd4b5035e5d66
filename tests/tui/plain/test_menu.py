"""The menu and the hosts nearby, in lines."""

from pathlib import Path

import pytest

from core.games import GAMES
from net.client.discovery import FoundHost
from net.storage.solo_matches import KeptMatch
from tui.lessons import LESSONS
from tui.plain.menu import Hosts, Menu

KEPT = [
    KeptMatch(Path("damaged"), 1e9, problem="?"),
    KeptMatch(Path("latest"), 1e9, "all-fives", 3, 85, ("", "Felix")),
]


def menu(*lines, kept=()):
    sentences = []
    menu = Menu(sentences.append, kept)
    menu.open()
    for line in lines:
        menu.handle_line(line)
    return menu.chosen, sentences


def test_the_menu_asks_for_a_number():
    chosen, sentences = menu()
    assert chosen is None
    assert sentences[0] == "Boneyard: every domino game people play."
    assert sentences[-1] == "Type a number."


@pytest.mark.parametrize(("line", "chosen"), [("4", "join"), ("5", "host"), ("8", "leave"), ("leave", "leave")])
def test_an_entry_of_the_menu_is_chosen_by_its_number_or_its_word(line, chosen):
    assert menu(line)[0] == chosen


def test_the_menu_begins_with_the_match_that_was_played_last():
    chosen, sentences = menu("1", kept=KEPT)
    assert sentences[1] == "1. Go on: All Fives, round 3, you 85."
    assert chosen == Path("latest")
    assert menu("5", kept=KEPT)[0] == "join"


def test_a_solo_player_is_asked_for_the_game():
    chosen, _ = menu("1", "block", "3", "easy", "")
    assert (chosen.game, chosen.players, chosen.bots, chosen.hints) == ("block", 3, 2, True)


def test_going_back_leads_to_the_menu():
    _, sentences = menu("1", "back")
    assert sentences[-1] == "Type a number."


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_every_game_are_read_in_sentences(name):
    _, sentences = menu("6", name)
    page = sentences[sentences.index(f"{GAMES[name].name}.") :]
    assert page[-1] == "Type a number."
    assert not any(mark in line for line in page for mark in "#`\n")
    assert all(line.endswith((".", ":", "?", "!")) for line in page)


def test_a_game_that_is_not_known_has_no_rules():
    assert "bridge" in menu("6", "bridge")[1][-1]


NEARBY = (FoundHost("Ann's house", "192.0.2.7", 2222),)


def hosts(*lines, nearby=NEARBY):
    sentences = []
    hosts = Hosts(sentences.append, nearby)
    hosts.open()
    for line in lines:
        hosts.handle_line(line)
    return hosts, sentences


def test_a_host_nearby_is_chosen_by_its_number():
    chosen, sentences = hosts("1")
    assert sentences[0] == "1. Ann's house, 192.0.2.7:2222."
    assert chosen.places == (("192.0.2.7", 2222),)


@pytest.mark.parametrize("nearby", [(), NEARBY])
def test_any_host_is_joined_by_its_address(nearby):
    assert hosts("example.org:2022", nearby=nearby)[0].places == (("example.org", 2022),)


def test_an_invalid_address_is_refused_in_a_sentence():
    chosen, sentences = hosts("ann:house")
    assert not chosen.places
    assert sentences[-1] == "“ann:house” is not an address; write HOST or HOST:PORT, like 192.168.1.20:2222."


def test_leave_cancels_the_choice_of_a_host():
    assert hosts("leave")[0].cancelled


def test_a_lesson_is_chosen_from_the_list_of_lessons():
    chosen, sentences = menu("2", "99", "2")
    assert chosen is LESSONS[1]
    assert sentences.count("1. Draw: how dominoes is played.") == 1


def test_another_kept_match_is_chosen_from_the_list_of_all():
    older = KeptMatch(Path("older"), 1e8, "draw", 2, 10, ("", "Felix"))
    chosen, sentences = menu("2", "2", kept=[*KEPT, older])
    assert "2. Go on with another kept match." in sentences
    assert chosen == Path("older")


def test_the_finished_matches_are_told_and_the_menu_asks_again():
    sentences = []
    asked = Menu(sentences.append, history=lambda: ["Draw, today: won."])
    asked.open()
    asked.handle_line("3")
    assert "Draw, today: won." in sentences
    assert sentences[-1] == "Type a number."
    assert "No match is recorded yet." in menu("3")[1]


def test_a_wrong_answer_repeats_no_list_of_all_games():
    _, sentences = menu("1", "blok")
    assert sentences[-2].startswith("There is no game “blok”. Did you mean block")
    assert sum(line.startswith("1. ") for line in sentences) == 2  # the menu, and the games once


def test_a_preset_is_played_by_its_name():
    chosen, _ = menu("1", "sebastopol", "", "easy", "")
    assert chosen.options["target"] == 60
