"""Accounts: names belong to keys, similar names are taken too, and no client can fill the host with names."""

import pytest

from net.limits import BIND_WITHIN
from net.players.accounts import Accounts, BanLifted, Banned, KeyBound, NameAssigned


def test_a_name_belongs_to_its_key_in_any_case():
    accounts = Accounts([NameAssigned("SHA256:A", "Ada")])

    assert accounts.name_of("SHA256:A") == "Ada"
    assert accounts.owner_of("ADA") == "SHA256:A"
    assert accounts.owner_of("bela") == ""


@pytest.mark.parametrize("name", ["Аda", "Ａda", "A\u200bda", "\u202eAda", "Ad\u0430"])
def test_a_lookalike_counts_as_the_name(name):
    assert Accounts([NameAssigned("SHA256:A", "Ada")]).owner_of(name) == "SHA256:A"


def test_a_key_that_takes_another_name_gives_up_the_old_one():
    accounts = Accounts([NameAssigned("SHA256:A", "Ada")])
    accounts.remember("SHA256:A", "Lovelace")

    assert accounts.owner_of("Ada") == ""
    assert accounts.owner_of("lovelace") == "SHA256:A"


def test_changes_of_accounts_are_collected_for_saving_once_each():
    accounts = Accounts()
    accounts.remember("SHA256:A", "Ada")
    accounts.remember("SHA256:A", "Ada")
    accounts.ban("10.0.0.7", "floods", "2026-11-20")
    accounts.pardon("10.0.0.7")

    assert accounts.unsaved == [
        NameAssigned("SHA256:A", "Ada"),
        Banned("10.0.0.7", "floods", "2026-11-20"),
        BanLifted("10.0.0.7"),
    ]


def test_strangers_cannot_fill_the_host_with_names(monkeypatch):
    monkeypatch.setattr("net.players.accounts.MAX_NAMES", 2)
    accounts = Accounts()
    for name in ("Ada", "Bela", "Chen"):
        accounts.remember(f"SHA256:{name}", name)
    accounts.remember("SHA256:Ada", "Lovelace")

    assert accounts.name_of("SHA256:Chen") == ""
    assert accounts.name_of("SHA256:Ada") == "Lovelace"


def test_a_key_joins_an_account_by_a_code_once_and_in_time():
    accounts = Accounts([NameAssigned("SHA256:A", "Ada")])
    code = accounts.offer("SHA256:A", 0.0)

    assert accounts.bind("SHA256:B", "wrong", 1.0) == ""
    assert accounts.bind("SHA256:B", f" {code.upper()} ", 1.0) == "SHA256:A"
    assert accounts.bind("SHA256:C", code, 1.0) == ""
    assert accounts.name_of(accounts.account_of("SHA256:B")) == "Ada"
    expired_code = accounts.offer("SHA256:A", 0.0)
    assert accounts.bind("SHA256:C", expired_code, BIND_WITHIN) == ""


def test_a_newer_code_replaces_the_one_before():
    accounts = Accounts()
    old_code, new_code = accounts.offer("SHA256:A", 0.0), accounts.offer("SHA256:A", 0.0)

    assert accounts.bind("SHA256:B", old_code, 1.0) == ""
    assert accounts.bind("SHA256:B", new_code, 1.0) == "SHA256:A"


def test_an_account_that_joins_another_brings_its_keys_along_and_each_may_part_again():
    accounts = Accounts()
    accounts.bind("SHA256:B", accounts.offer("SHA256:A", 0.0), 1.0)
    accounts.bind("SHA256:A", accounts.offer("SHA256:Z", 0.0), 1.0)

    assert {accounts.account_of(f"SHA256:{key}") for key in "ABZ"} == {"SHA256:Z"}
    assert accounts.unbind("SHA256:B")
    assert accounts.account_of("SHA256:B") == "SHA256:B"
    assert not accounts.unbind("SHA256:B")


def test_a_key_joins_no_account_of_its_own():
    accounts = Accounts()

    assert accounts.bind("SHA256:A", accounts.offer("SHA256:A", 0.0), 1.0) == ""


def test_bound_keys_are_remembered():
    accounts = Accounts()
    accounts.bind("SHA256:B", accounts.offer("SHA256:A", 0.0), 1.0)
    entries = accounts.unsaved

    assert entries == [KeyBound("SHA256:B", "SHA256:A")]
    assert Accounts(entries).keys_of("SHA256:A") == ["SHA256:A", "SHA256:B"]


def test_a_code_of_an_account_is_void_once_a_key_leaves_the_account():
    accounts = Accounts()
    accounts.bind("SHA256:B", accounts.offer("SHA256:A", 0.0), 1.0)
    code = accounts.offer("SHA256:A", 0.0)
    accounts.unbind("SHA256:B")

    assert accounts.bind("SHA256:D", code, 1.0) == ""


def test_a_code_of_a_key_is_void_once_the_key_joins_another_account():
    accounts = Accounts()
    code = accounts.offer("SHA256:C", 0.0)
    accounts.bind("SHA256:C", accounts.offer("SHA256:A", 0.0), 1.0)

    assert accounts.bind("SHA256:D", code, 1.0) == ""


def test_the_keys_of_an_account_are_limited(monkeypatch):
    monkeypatch.setattr("net.players.accounts.KEYS_PER_ACCOUNT", 3)
    accounts = Accounts()
    for key, token in (("B", "A"), ("C", "A"), ("E", "D")):
        assert accounts.bind(key, accounts.offer(token, 0.0), 1.0) == token

    assert accounts.bind("F", accounts.offer("A", 0.0), 1.0) == ""
    assert accounts.bind("A", accounts.offer("D", 0.0), 1.0) == "", "its account of three keys would exceed the limit"
    assert accounts.bind("B", accounts.offer("A", 0.0), 1.0) == "A", "it is in the account already"
    assert accounts.bind("B", accounts.offer("D", 0.0), 1.0) == "D"


def test_strangers_cannot_fill_the_host_with_bound_keys(monkeypatch):
    monkeypatch.setattr("net.players.accounts.MAX_NAMES", 1)
    accounts = Accounts()
    accounts.bind("B", accounts.offer("A", 0.0), 1.0)

    assert accounts.bind("D", accounts.offer("C", 0.0), 1.0) == ""
    assert accounts.bind("B", accounts.offer("C", 0.0), 1.0) == "C", "it is bound already"
