"""Options for the access to a host."""

from types import SimpleNamespace

import pytest

from tui.cli.access import parse_web
from tui.cli.host import host
from tui.failures import BadUse


def typed(url):
    given = host.make_context("host", ["--web", "8080", "--web-url", url]).params
    return parse_web(SimpleNamespace(**given))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://dominoes.example", "https://dominoes.example"),
        ("HTTPS://Dominoes.Example:8443/", "https://dominoes.example:8443"),
        ("http://[2001:db8::1]:80", "http://[2001:db8::1]:80"),
        ("", ""),
    ],
)
def test_the_address_of_the_site_is_an_origin(url, site):
    assert typed(url).url == site


@pytest.mark.parametrize(
    "url",
    [
        "dominoes.example",
        "ftp://dominoes.example",
        "https://dominoes.example/club",
        "https://dominoes.example?a=b",
        "https://dominoes.example#a",
        "https://ann:secret@dominoes.example",
        "https://[::1",
        "https://",
        "https://dominoes.example:port",
    ],
)
def test_an_address_with_more_than_an_origin_is_refused_in_a_sentence(url):
    with pytest.raises(BadUse, match="is not the address of a site"):
        typed(url)
