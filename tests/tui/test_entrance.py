"""Options for who may join: the accepted forms, and the refusals before any guest connects."""

from types import SimpleNamespace

import pytest

import net.client.discovery
from net.client.discovery import bound_addresses
from net.doors.listener import HostError
from net.hosting.parts import access_of
from net.limits import Limits
from net.options import AccessOptions
from tui.cli.access import limits_of, parse_access, public_site, reachable_at
from tui.cli.host import host
from tui.failures import BadUse
from tui.run.host import who_may_join

LAN = ["127.0.0.1", "192.168.1.20", "fe80::1%eth0", "fd00::2"]
PUBLIC = [*LAN, "93.184.216.34"]


def typed(*words, addresses=LAN):
    given = host.make_context("host", list(words)).params
    return parse_access(SimpleNamespace(**given), addresses)


def test_on_a_private_network_everybody_may_enter():
    assert typed() == AccessOptions()
    assert who_may_join(typed()) == "Who may join: everybody."


def test_on_a_public_address_a_host_needs_a_choice_of_who_may_enter():
    with pytest.raises(BadUse) as refused:
        typed(addresses=PUBLIC)
    assert refused.value.exit_code == 2
    assert str(refused.value.message) == (
        "The whole internet may reach 93.184.216.34: choose who may join with --invite CODE or "
        "--authorized-keys FILE, let everybody in with --open, or stay on your own network with --bind ADDR."
    )


@pytest.mark.parametrize("choice", [("--open",), ("--invite", "domino"), ("--authorized-keys", "friends")])
def test_on_a_public_address_each_choice_of_who_may_enter_suffices(choice):
    assert typed(*choice, addresses=PUBLIC) == typed(*choice)


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://dominoes.example", ["dominoes.example"]),
        ("https://Dominoes.Example.:8443/", ["dominoes.example"]),
        ("http://93.184.216.34", ["93.184.216.34"]),
        ("https://[2606:2800::1]", ["2606:2800::1"]),
        ("https://192.168.1.5", []),
        ("https://[fd00::1]:8443", []),
        ("https://localhost", []),
        ("https://nas", []),
        ("https://nas.local", []),
        ("https://nas.home.arpa", []),
        ("https://[::1", []),
        ("", []),
    ],
)
def test_a_site_that_browsers_show_tells_whether_the_internet_may_reach_it(url, named):
    assert public_site(url) == named


def test_a_host_with_a_public_site_starts_with_a_choice_of_who_may_enter():
    site = ("--web", "8080", "--web-url", "https://dominoes.example")
    with pytest.raises(BadUse, match=r"The whole internet may reach dominoes\.example"):
        typed(*site)
    assert typed(*site, "--open") == AccessOptions()


@pytest.mark.parametrize("choice", [("--invite", "domino"), ("--authorized-keys", "friends")])
def test_open_excludes_the_other_choices_of_who_may_enter(choice):
    with pytest.raises(BadUse, match="--open lets everybody in"):
        typed(*choice, "--open")


@pytest.mark.parametrize("code", ["", "     ", "short"])
def test_an_invitation_code_of_fewer_than_6_characters_is_refused(code):
    with pytest.raises(BadUse, match="needs at least 6 characters"):
        typed("--invite", code)


def test_the_sentence_about_who_may_join_has_no_code(tmp_path):
    keys = tmp_path / "friends"
    code, listed = ("--invite", "domino"), ("--authorized-keys", str(keys))
    said = [who_may_join(typed(*words)) for words in (code, listed, code + listed)]
    assert said == [
        "Who may join: anybody with the invitation code.",
        f"Who may join: the keys in {keys}.",
        f"Who may join: the keys in {keys}, and anybody with the invitation code.",
    ]


def test_an_unusable_list_of_keys_is_reported_in_one_sentence(tmp_path):
    with pytest.raises(HostError, match=r"cannot be read: No such file or directory\."):
        access_of(typed("--authorized-keys", str(tmp_path / "friends")))


@pytest.mark.parametrize(
    ("bind", "addresses"),
    [
        ("", PUBLIC),
        ("0.0.0.0", ["127.0.0.1", "192.168.1.20", "93.184.216.34"]),
        ("::", ["fe80::1%eth0", "fd00::2"]),
        ("192.168.1.20", ["192.168.1.20"]),
        ("93.184.216.34", ["93.184.216.34"]),
        ("no.such.host.invalid", []),
    ],
)
def test_only_bound_addresses_count(bind, addresses):
    assert bound_addresses(bind, lambda: PUBLIC) == addresses


def test_the_addresses_of_this_machine_include_loopback():
    assert "127.0.0.1" in bound_addresses("")


def test_limits_can_be_changed():
    limits = limits_of(("per_address=300", "handshakes_per_second=0.5"))
    assert limits == Limits(per_address=300, handshakes_per_second=0.5)


@pytest.mark.parametrize("word", ["chairs=3", "=3", "chairs"])
def test_an_unknown_limit_is_refused(word):
    with pytest.raises(BadUse, match="There is no limit"):
        limits_of((word,))


@pytest.mark.parametrize("value", ["", "0", "-1", "many", "inf", "nan", "1e999", "1.5"])
def test_a_limit_must_be_a_number_above_0(value):
    with pytest.raises(BadUse, match="must be a number above 0"):
        limits_of((f"sessions={value}",))


def test_without_a_list_of_addresses_the_source_addresses_of_packets_count(monkeypatch, capsys):
    def refused():
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(net.client.discovery, "machine_addresses", refused)
    monkeypatch.setattr(net.client.discovery, "own_addresses", lambda: PUBLIC[-1:])

    assert reachable_at("") == PUBLIC[-1:]
    said = capsys.readouterr().err
    assert said.startswith("boneyard: The system does not list the addresses of this machine (Address family")
    assert said.count("\n") == 1
    with pytest.raises(BadUse, match="The whole internet may reach"):
        typed(addresses=reachable_at(""))


def test_proxies_are_networks_or_addresses():
    proxies = ("10.0.0.0/8", "2001:db8::7")
    assert typed(*(word for network in proxies for word in ("--proxied-by", network))).proxied_by == proxies
    for text in ("10.0.0.1/8", "proxy.example", "", "10.0.0.0/33"):
        with pytest.raises(BadUse, match="is not a network, like"):
            typed("--proxied-by", text)
