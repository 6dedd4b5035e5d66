"""The target of an operator's command: a key, an address or a name, never mistaken for each other."""

import pytest

from net.host.admin import Target, TargetError, bannable, target_of
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.players.accounts import Accounts
from net.wire.messages import PROTOCOL, Enter, Hello

ADA, CHEN = "SHA256:" + "A" * 43, "SHA256:" + "z/+" * 14 + "z"


def enter(lobby, number, name, key="", address=""):
    lobby.front.connect(number, Visitor(name, key, address=address))
    lobby.receive(number, Hello(PROTOCOL, "test"))
    lobby.receive(number, Enter(name))


@pytest.fixture
def lobby():
    """Return a lobby: ada has a key, bela has none, and chen visited on another day."""
    lobby = Lobby(Accounts(), new_secret=lambda: b"seed", software="test")
    enter(lobby, 1, "ada", ADA, "10.0.0.1")
    enter(lobby, 2, "bela", "", "10.0.0.2")
    lobby.accounts.remember(CHEN, "chen")
    return lobby


@pytest.mark.parametrize(
    ("text", "target"),
    [
        (ADA, Target("key", ADA)),
        ("10.0.0.9", Target("address", "10.0.0.9")),
        ("2001:DB8:0::1", Target("address", "2001:db8::1")),
        ("::ffff:10.0.0.9", Target("address", "10.0.0.9")),
        ("ada", Target("name", "ada")),
        ("bela", Target("name", "bela")),
        ("chen", Target("name", "chen")),
    ],
)
def test_a_word_with_one_meaning_needs_no_kind(lobby, text, target):
    assert target_of(lobby, text) == target
    assert target_of(lobby, text, target.kind) == target


@pytest.mark.parametrize("text", ["zoe", "", "Ada", "ada ", "10.0.0", "SHA256:A", ADA + "A", ADA[:-1]])
def test_a_word_without_a_target_is_refused(lobby, text):
    with pytest.raises(TargetError, match="is not an address, a key"):
        target_of(lobby, text)


@pytest.mark.parametrize(
    ("text", "kind", "sentence"),
    [
        ("ada", "address", "“ada” is not an IP address."),
        ("ada", "key", "“ada” is not a key fingerprint: SHA256: and 43 characters, as in `admin guests`."),
        ("10.0.0.1", "name", "Nobody called “10.0.0.1” is connected or known."),
    ],
)
def test_a_word_of_another_kind_than_the_given_one_is_refused(lobby, text, kind, sentence):
    with pytest.raises(TargetError) as error:
        target_of(lobby, text, kind)
    assert str(error.value) == sentence


def test_a_name_that_reads_as_an_address_or_a_key_needs_a_prefix(lobby):
    enter(lobby, 3, "10.0.0.1", CHEN, "10.0.0.3")

    with pytest.raises(TargetError) as error:
        target_of(lobby, "10.0.0.1")
    assert str(error.value) == "“10.0.0.1” is a name and an address; use --name or --address."
    assert target_of(lobby, "10.0.0.1", "name") == Target("name", "10.0.0.1")
    assert target_of(lobby, "10.0.0.1", "address") == Target("address", "10.0.0.1")


def test_keys_and_addresses_are_banned_as_they_are(lobby):
    for target in (Target("key", ADA), Target("address", "10.0.0.9")):
        assert bannable(lobby, target) == [target]


def test_a_name_is_banned_by_its_owners_key_or_by_the_address_of_a_guest_without_one(lobby):
    assert bannable(lobby, Target("name", "ada")) == [Target("key", ADA)]
    assert bannable(lobby, Target("name", "bela")) == [Target("address", "10.0.0.2")]


def test_a_name_means_its_present_owner_and_not_an_earlier_key(lobby):
    lobby.accounts.remember(CHEN, "bela")

    assert bannable(lobby, Target("name", "bela")) == [Target("address", "10.0.0.2")]


def test_an_absent_guest_is_banned_by_the_key_of_the_last_visit(lobby):
    assert bannable(lobby, Target("name", "chen")) == [Target("key", CHEN)]


def test_a_name_without_an_owner_bans_no_guest(lobby):
    assert bannable(lobby, Target("name", "zoe")) == []
