"""The meaning of a typed name: a whole name, else a part of only one name, else the nearest name."""

from core.lookup import find_id, ids_beginning_with, normalise

NAMES = [("a", "all fives"), ("b", "fives and threes"), ("c", "mexican train"), ("d", "mexican train")]


def test_a_name_is_read_in_lower_case_in_single_words():
    assert normalise("  Fives & THREES!") == "fives and threes"


def test_a_whole_name_is_found_in_any_spelling():
    assert find_id("All-Fives", NAMES) == ("a", [])


def test_of_two_equal_names_the_first_is_found():
    assert find_id("mexican train", NAMES) == ("c", [])


def test_a_part_is_enough_where_no_other_has_it():
    assert find_id("threes", NAMES) == ("b", [])


def test_an_ambiguous_part_leaves_all_matching_names():
    assert find_id("fives", NAMES) == ("", ["a", "b"])


def test_a_misspelt_name_leaves_the_nearest_name():
    assert find_id("mexcan train", NAMES) == ("", ["c"])


def test_a_name_unlike_every_other_leaves_no_name():
    assert find_id("chess", NAMES) == ("", [])
    assert find_id("", NAMES) == ("", [])


def test_a_typed_part_may_begin_any_word_of_a_name():
    assert ids_beginning_with("tr", NAMES) == {"c", "d"}


def test_an_empty_search_finds_every_name():
    assert ids_beginning_with("", NAMES) == {"a", "b", "c", "d"}
