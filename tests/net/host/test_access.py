"""Access: visitors who are admitted, asked for a code, or locked out."""

from collections import Counter

import pytest

from net.host.access import Access, DenialReason, canonical_address, network_of, public_addresses
from net.limits import Limits

ANN, BOB = "SHA256:ann", "SHA256:bob"
ADDRESS, OTHER_ADDRESS = "192.0.2.1", "198.51.100.7"


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    ("invite", "listed", "ann", "bob", "guest"),
    [
        ("", None, "in", "in", "in"),
        ("domino", None, "code", "code", "code"),
        ("", {ANN}, "in", "out", "out"),
        ("domino", {ANN}, "in", "code", "code"),
        ("", set(), "out", "out", "out"),
    ],
    ids=["open", "invitation", "keys", "both", "no keys yet"],
)
def test_the_host_chooses_who_may_enter(invite, listed, ann, bob, guest):
    access = Access(invite=invite, listed_keys=None if listed is None else lambda: listed)

    def admission(key):
        if not access.can_enter(key):
            return "out"
        return "code" if access.must_give_code(key) else "in"

    assert (admission(ANN), admission(BOB), admission(None)) == (ann, bob, guest)


def test_the_list_of_keys_is_read_again_for_each_guest():
    listed = set()
    access = Access(listed_keys=lambda: listed)
    assert not access.can_enter(ANN)
    listed.add(ANN)
    assert access.can_enter(ANN)


def test_a_banned_key_stays_out_even_if_it_is_listed_or_has_the_code():
    access = Access(invite="domino", listed_keys=lambda: {ANN}, bans=lambda: {ANN})
    assert not access.can_enter(ANN)
    assert access.can_enter(BOB)


@pytest.mark.parametrize("address", [ADDRESS, f"::ffff:{ADDRESS}"])
def test_a_banned_address_is_recognised_in_any_notation(address):
    access = Access(bans=lambda: {ADDRESS})
    assert access.check_address(address) is DenialReason.BANNED
    assert access.check_address(OTHER_ADDRESS) is None


def test_a_ban_counts_from_the_moment_it_is_made():
    bans = set()
    access = Access(bans=lambda: bans)
    assert access.check_address(ADDRESS) is None
    bans.add(ADDRESS)
    assert access.check_address(ADDRESS) is DenialReason.BANNED


def test_an_address_that_floods_with_key_exchanges_is_admitted_rarely():
    clock = Clock()
    access = Access(limits=Limits(), clock=clock)
    admissions = Counter()
    for tick in range(3000):  # tenths of a second: five minutes
        clock.now = tick / 10
        for number in range(20):
            if access.check_address(attacker := f"192.0.2.{number}") is None:
                admissions[attacker] += 1
                access.hold_off(attacker)
                access.hold_off(attacker)  # another of its connections does the same
        if tick % 100 == 0:
            assert access.check_address("198.51.100.7") is None
    assert set(admissions.values()) == {10}


def test_connections_are_counted_by_address_and_forgotten_with_time():
    clock = Clock()
    access = Access(limits=Limits(handshakes_per_second=0.5, handshakes_at_once=2), clock=clock)
    assert [access.check_address(ADDRESS) for _ in range(3)] == [None, None, DenialReason.TOO_FAST]
    assert access.check_address(OTHER_ADDRESS) is None
    clock.now += 2
    assert [access.check_address(ADDRESS) for _ in range(2)] == [None, DenialReason.TOO_FAST]


@pytest.mark.parametrize("typed", ["Double Six", " Double Six\n", "Ｄouble Six"])
def test_a_code_is_right_in_wide_letters_and_with_blanks_around_it(typed):
    assert Access(invite="Double Six").is_invitation_code(typed)


@pytest.mark.parametrize("typed", ["", "double six", "Double Si", "Double Six6", "\ud800", "x" * 100_000])
def test_any_other_code_is_wrong(typed):
    assert not Access(invite="Double Six").is_invitation_code(typed)


def test_without_an_invitation_even_an_empty_code_is_wrong():
    assert not Access().is_invitation_code("")


@pytest.mark.parametrize(
    ("address", "text", "counted"),
    [
        ("192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:1::0:5", "2001:db8:0:1::5", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::1", "fe80::/64"),
        ("?", "?", "?"),
    ],
)
def test_an_ipv6_household_is_counted_as_one(address, text, counted):
    assert (canonical_address(address), network_of(address)) == (text, counted)


@pytest.mark.parametrize(
    ("addresses", "reachable"),
    [
        (["127.0.0.1", "::1", "192.168.1.20", "10.0.0.1", "172.16.0.1", "fe80::1%eth0", "fd00::1"], []),
        (["169.254.0.1", "100.64.0.1", "203.0.113.7", "is not an address"], []),
        (["192.168.1.20", "93.184.216.34"], ["93.184.216.34"]),
        (["2606:2800:220:1::1", "::ffff:93.184.216.34"], ["2606:2800:220:1::1", "::ffff:93.184.216.34"]),
    ],
)
def test_an_address_is_public_if_the_whole_internet_could_reach_it(addresses, reachable):
    assert public_addresses(addresses) == reachable
