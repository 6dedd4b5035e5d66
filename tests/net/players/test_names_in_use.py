"""Names in use: a guest who asks for a lookalike is told which name it resembles."""

from net.players import names_in_use
from net.players.names_in_use import NamesInUse


def test_a_lookalike_has_a_rival_and_the_guests_own_name_has_none():
    names = NamesInUse()
    names.add("Ian", "key ian")
    names.add("bela", "key bela")

    assert names.rival("lan", "key eve") == ("Ian", "key ian")
    assert names.rival("lan", "key ian") is None
    assert names.rival("chen", "key eve") is None


def test_a_name_is_used_until_it_has_been_given_up_as_often_as_it_was_taken():
    names = NamesInUse()
    names.add("bela", "key bela")
    names.add("ada", "key ada")
    names.add("ada", "key ada")
    names.discard("ada", "key ada")
    assert names.rival("ADA", "key eve") == ("ada", "key ada")

    names.discard("ada", "key ada")

    assert names.rival("ADA", "key eve") is None
    assert names.rival("Bela", "key eve") == ("bela", "key bela")


def test_two_guests_with_the_same_name_are_both_found():
    names = NamesInUse()
    names.add("ada", "key 1")
    names.add("Ada", "key 2")

    assert names.rival("ada", "key 1") == ("Ada", "key 2")
    assert names.rival("ada", "key 2") == ("ada", "key 1")


def test_names_are_compared_only_if_another_guest_is_present(monkeypatch):
    monkeypatch.setattr(names_in_use, "skeletons", lambda name: 1 / 0)
    names = NamesInUse()
    names.add("ada", "key ada")

    assert names.rival("bela", "key ada") is None
    names.discard("ada", "key ada")
    assert names.rival("ada", "key eve") is None
