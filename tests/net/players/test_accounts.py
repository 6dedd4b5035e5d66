"""Accounts: names belong to keys, similar names are taken too, and nobody can fill the host with names."""

import pytest

from net.players.accounts import Accounts, Banned, NameAssigned, Pardoned


def test_a_name_belongs_to_its_key_whatever_its_case():
    accounts = Accounts([NameAssigned("SHA256:A", "Ada")])

    assert accounts.name_of("SHA256:A") == "Ada"
    assert accounts.owner_of("ADA") == "SHA256:A"
    assert accounts.owner_of("bela") == ""


@pytest.mark.parametrize("name", ["Аda", "Ａda", "A\u200bda", "\u202eAda", "Ad\u0430"])
def test_what_looks_like_a_name_is_as_good_as_the_name(name):
    assert Accounts([NameAssigned("SHA256:A", "Ada")]).owner_of(name) == "SHA256:A"


def test_a_key_that_takes_another_name_gives_up_the_old_one():
    accounts = Accounts([NameAssigned("SHA256:A", "Ada")])
    accounts.remember("SHA256:A", "Lovelace")

    assert accounts.owner_of("Ada") == ""
    assert accounts.owner_of("lovelace") == "SHA256:A"


def test_what_changed_is_handed_out_once():
    accounts = Accounts()
    accounts.remember("SHA256:A", "Ada")
    accounts.remember("SHA256:A", "Ada")
    accounts.ban("10.0.0.7", "floods", "2026-11-20")
    accounts.pardon("10.0.0.7")

    assert accounts.take() == [
        NameAssigned("SHA256:A", "Ada"),
        Banned("10.0.0.7", "floods", "2026-11-20"),
        Pardoned("10.0.0.7"),
    ]
    assert accounts.take() == []


def test_strangers_cannot_fill_the_house_with_names(monkeypatch):
    monkeypatch.setattr("net.players.accounts.MAX_NAMES", 2)
    accounts = Accounts()
    for name in ("Ada", "Bela", "Chen"):
        accounts.remember(f"SHA256:{name}", name)
    accounts.remember("SHA256:Ada", "Lovelace")

    assert accounts.name_of("SHA256:Chen") == ""
    assert accounts.name_of("SHA256:Ada") == "Lovelace"
