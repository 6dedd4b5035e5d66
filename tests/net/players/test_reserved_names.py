"""Reserved words: names that would be mistaken for the host, its operator or a bot."""

import pytest

from net.host.presence import Visitor
from net.players.accounts import Accounts, NameAssigned
from net.players.names_in_use import BOT_NAMES, is_reserved
from net.players.text import HOST_MARK, clean_name
from net.wire.messages import PROTOCOL, Enter, Entered, Hello
from tests.net.party import Party


@pytest.mark.parametrize(
    "name",
    [
        *("the host", "host", "The Host", "HOST", "system", "operator", "the operator", "admin", "Administrator"),
        *("server", "bot", "Boneyard", "moderator", "sysop", *BOT_NAMES),
        # in other spellings
        *("h0st", "hоst", "ｈｏｓｔ", "hóst", "the-host", "the  host:", "[host]", "_host_", "host 👑", "thehost"),
        *("adrnin", "aclmin", "Аdmin", "rnoclerator", "b0t", "bοt", "5erver", "FeIix", "Fe1ix", "systern", "Gizrno"),
    ],
)
def test_a_name_that_looks_like_a_word_of_the_host_or_a_bot_is_reserved(name):
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name",
    ["Hostess", "Ghost", "Adam", "Bob", "Botho", "Rob", "Theo", "Serge", "Felicia", "Dot", "Ada", "Kubo", "宿主"],
)
def test_a_name_that_only_resembles_a_reserved_word_is_free(name):
    assert not is_reserved(name)


def test_a_request_for_a_reserved_word_is_refused_with_the_reason():
    party = Party()
    party.arrive(1)
    party.say(1, Hello(PROTOCOL, "test"))

    assert party.refusal(party.say(1, Enter("The H0st"))) == ("The name The H0st is reserved; choose another.")
    assert party.say(1, Enter("ada"))[0] == Entered("ada")


@pytest.mark.parametrize(("user", "known"), [("admin", None), ("ada", "the host"), ("ada", "*** ada")])
def test_a_reserved_word_is_not_suggested_even_to_its_former_owner(user, known):
    party = Party(accounts=Accounts([NameAssigned("token", known)] if known else []))
    party.arrive(1, user, "token")
    party.say(1, Hello(PROTOCOL, "test"))

    greeting = party.greeting(1)
    assert not greeting.known
    assert greeting.name == ("ada" if known and "ada" in known else "")


def test_at_a_solo_table_every_name_is_allowed():
    party = Party()
    party.arrive(1)
    party.lobby.front.connect(1, Visitor("admin"))
    party.say(1, Hello(PROTOCOL, "test"))

    assert party.greeting(1).name == "admin"
    assert isinstance(party.say(1, Enter("admin"))[0], Entered)


@pytest.mark.parametrize("star", ["*", "＊", "∗", "⁎", "✱", "٭", "﹡", "✻", "⁑"])
def test_no_name_has_the_sign_of_the_hosts_own_words(star):
    assert clean_name(f"{star * 3} ada") == "ada"
    assert HOST_MARK == "***"
