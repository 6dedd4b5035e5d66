"""Options of `boneyard host` about admission and browsers, and their checks."""

import re
from collections.abc import Callable, Iterable
from ipaddress import ip_address, ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click
import msgspec

from net.host.access import MIN_INVITATION_LENGTH, public_addresses
from net.limits import Limits
from net.options import AccessOptions, WebOptions
from tui.cli.arguments import combine_options
from tui.cli.packages import BROWSERS_NEED, WEB, require_packages, require_page
from tui.failures import BadUse
from tui.i18n import _

F = TypeVar("F", bound=Callable[..., Any])
INVITE = "BONEYARD_INVITE"
"""The environment variable for the code; other users of a machine could see a command line."""


def parse_access(typed_options: SimpleNamespace, addresses: Iterable[str]) -> AccessOptions:
    """Return the checked options about admission; `addresses` are those of the host. Raises BadUse."""
    invite, keys, everybody = typed_options.invite, typed_options.keys, typed_options.everybody
    if invite is not None and len(invite.strip()) < MIN_INVITATION_LENGTH:
        raise BadUse(
            "An invitation code needs at least {least} characters, or it is easily guessed.",
            least=MIN_INVITATION_LENGTH,
        )
    if everybody and (invite or keys):
        raise BadUse("--open lets everybody in, so you cannot combine it with --invite or --authorized-keys.")
    reachable = [*public_site(typed_options.web_url), *public_addresses(addresses)]
    if reachable and not (everybody or invite or keys):
        raise BadUse(
            "The whole internet may reach {reachable}: choose who may join with --invite CODE or "
            "--authorized-keys FILE, let everybody in with --open, or stay on your own network "
            "with --bind ADDR.",
            reachable=reachable[0],
        )
    for network in typed_options.proxied_by:
        try:
            ip_network(network)
        except ValueError:
            raise BadUse(
                "--proxied-by {network} is not a network, like 10.0.0.0/8, or an address.", network=network
            ) from None
    return AccessOptions(
        invite or "",
        str(keys or ""),
        limits_of(typed_options.limits),
        typed_options.proxied_by,
        typed_options.returning,
    )


_SITE = re.compile(r"https?://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?/?", re.IGNORECASE)
"""The origin of a site: no path, query, fragment, name or password."""
_PRIVATE = ("localhost", "local", "lan", "home", "internal", "home.arpa", "test", "invalid")
"""Top-level domains whose names resolve only on a private network."""


def public_site(url: str) -> list[str]:
    """Return a list of the host name in a URL; empty if the internet cannot reach that host."""
    name = ""
    try:
        name = (urlsplit(url).hostname or "").rstrip(".")
        ip_address(name)
    except ValueError:  # a name, or a URL that `parse_web` refuses
        return [name] if "." in name and not name.endswith(tuple(f".{end}" for end in _PRIVATE)) else []
    return public_addresses([name])


def parse_web(typed_options: SimpleNamespace) -> WebOptions | None:
    """Return the checked options for browsers; None without `--web`. Raises BadUse and Failed."""
    cert, key, url = typed_options.web_cert, typed_options.web_key, typed_options.web_url
    if not typed_options.web:
        if cert or key or url:
            raise BadUse("--web-cert, --web-key and --web-url need --web.")
        return None
    require_packages(WEB, BROWSERS_NEED, "host --web 8080")
    require_page()
    if bool(cert) != bool(key):
        raise BadUse("A certificate needs both files: --web-cert and --web-key.")
    if url and not _SITE.fullmatch(url):
        raise BadUse("--web-url {url} is not the address of a site, like https://dominoes.example.", url=url)
    bind, port = _web_port(typed_options.web)
    return WebOptions(bind, port, str(cert or ""), str(key or ""), url.rstrip("/").lower())


def web_addresses(web: str) -> list[str]:
    """Return the addresses at which browsers may reach a host. Raises BadUse."""
    return reachable_at(_web_port(web)[0]) if web else []


def _web_port(web: str) -> tuple[str, int]:
    bind, _colon, port = web.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise BadUse(
            "--web {web} is neither a port, like 8080, nor an address with a port, like 127.0.0.1:8080.", web=web
        )
    return bind.strip("[]"), int(port)


with_web_options = combine_options(
    click.option(
        "--web",
        default="",
        metavar="[ADDR:]PORT",
        help="Let browsers in by HTTP on this port, too; 0 takes a free one.",
    ),
    click.option(
        "--web-cert",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Certificate, if the server uses HTTPS.",
    ),
    click.option("--web-key", type=click.Path(path_type=Path), metavar="FILE", help="Key of the certificate."),
    click.option(
        "--web-url",
        default="",
        metavar="URL",
        help="Address that browsers show, if a proxy in front of this port uses HTTPS.",
    ),
    click.option(
        "--qr/--no-qr",
        default=None,
        help="Print the first link as a code for phones, too.  [default: in a terminal with room for it]",
    ),
)
"""The options for browsers."""


def reachable_at(bind: str) -> list[str]:
    """Return the addresses at which others may reach a host that listens on `bind`, as far as the system lists them.

    If a sandbox refuses the list, inform the operator and use the source addresses of outgoing packets.
    """
    from net.client.discovery import bound_addresses, own_addresses  # noqa: PLC0415 - a local game need not pay for it

    try:
        return bound_addresses(bind)
    except OSError as error:
        reason = error.strerror or error
        click.echo(
            "boneyard: "
            + _(
                "The system does not list the addresses of this machine ({reason}); only those by which it reaches "
                "others were used.",
                reason=reason,
            ),
            err=True,
        )
        return bound_addresses(bind, own_addresses)


def limits_of(typed_limits: tuple[str, ...]) -> Limits:
    """Return the limits of a host, with those typed as NAME=VALUE. Raises BadUse."""
    chosen_values: dict[str, str] = {}
    for typed_limit in typed_limits:
        name, _equals, value = typed_limit.partition("=")
        if name not in Limits.__struct_fields__:
            raise BadUse(
                "There is no limit “{name}”; choose one of {names}.",
                name=name,
                names=", ".join(Limits.__struct_fields__),
            )
        chosen_values[name] = value
    try:
        limits = msgspec.convert(msgspec.to_builtins(Limits()) | chosen_values, Limits, strict=False)
    except msgspec.ValidationError:
        limits = None
    for name, value in chosen_values.items():
        if limits is None or not 0 < getattr(limits, name) < float("inf"):
            raise BadUse(
                "--limit {name}={value} must be a number above 0 that is not too large.", name=name, value=value
            )
    return limits or Limits()


with_access_options = combine_options(
    click.option(
        "--invite",
        metavar="CODE",
        envvar=INVITE,
        help=f"Require this code. Other users of this machine can see it here, but not in {INVITE}.",
    ),
    click.option(
        "--authorized-keys",
        "keys",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Let in the SSH keys in this file without a code; with --invite, all others need the code.",
    ),
    click.option("--open", "everybody", is_flag=True, help="Let everybody in, even on a public address."),
    click.option(
        "--limit", "limits", multiple=True, metavar="NAME=VALUE", help="Change a limit; see docs/limits.md."
    ),
    click.option(
        "--proxied-by",
        multiple=True,
        metavar="CIDR",
        help="Guests come through a proxy at these addresses; its PROXY header names their own. Repeatable.",
    ),
    click.option(
        "--return-by-address",
        "returning",
        is_flag=True,
        help="Guests without a key get their seat back from the same address without their code.",
    ),
)
"""The options about admission."""
