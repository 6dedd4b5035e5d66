"""The operator's commands beside a running host: `boneyard admin …`, `boneyard backup`, `boneyard host --check`."""

import json
import os
import socket
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from net.options import NodeOptions
from tui.cli.arguments import FOLDER, combine_options, default_data
from tui.cli.packages import CLUSTER, CLUSTER_NEEDS, require_packages
from tui.failures import BadUse, Failed, fail_on

if TYPE_CHECKING:
    from core.records import Signing

VARIABLE = "BONEYARD_CLUSTER"
"""The environment variable for the database URL: an option would show its password to every user of the machine."""
ROLES = ("gateway", "tables", "both")

with_cluster_options = combine_options(
    click.option(
        "--cluster",
        default="",
        envvar=VARIABLE,
        metavar="URL",
        help=f"Be a node of the cluster with this PostgreSQL database; {VARIABLE} does the same.",
    ),
    click.option("--role", type=click.Choice(ROLES), help="Task of this node in the cluster."),
    click.option("--node", default="", metavar="NAME", help="Name of this node.  [default: that of the machine]"),
    click.option(
        "--lines", default="", metavar="ADDRESS:PORT", help="Address where gateways reach the tables of this node."
    ),
)


def node_of(typed_options: SimpleNamespace) -> NodeOptions | None:
    """Return the checked options of a cluster node; None for a standalone host. Raises BadUse and Failed."""
    if not typed_options.role:
        if typed_options.cluster:
            raise BadUse(f"Say with --role what this node of the cluster does, or unset {VARIABLE}.")
        if typed_options.node or typed_options.lines:
            raise BadUse("--node and --lines are for a node of a cluster; add --cluster and --role.")
        return None
    if not typed_options.cluster:
        raise BadUse(f"Give --cluster URL, or set {VARIABLE}, to say which database the cluster has.")
    require_packages(CLUSTER, CLUSTER_NEEDS, "host --cluster URL …")
    name = typed_options.node or socket.gethostname().partition(".")[0]
    if typed_options.role == "gateway":
        if typed_options.lines:
            raise BadUse("A gateway has no tables, so leave out --lines.")
        return NodeOptions(typed_options.cluster, name)
    return NodeOptions(typed_options.cluster, name, *_address(typed_options.lines))


def _address(lines: str) -> tuple[str, int]:
    address, colon, port = lines.rpartition(":")
    if not address or not colon or not port.isdecimal() or int(port) > 65535:
        raise BadUse("A node with tables needs --lines ADDRESS:PORT, where gateways reach it, like 10.0.0.5:2300.")
    return address.strip("[]"), int(port)


def report(data: Path) -> None:
    """Print the findings about a host's data. Raises Failed if any check failed."""
    from net.storage.check import examine  # noqa: PLC0415

    findings = examine(data)
    for finding in findings:
        click.echo(f"{finding.mark:5}  {finding.sentence}")
    failed_count = sum(not finding.is_fine for finding in findings)
    if failed_count:
        raise Failed(f"{failed_count} of {len(findings)} checks failed.")


@click.command(epilog="Example:  boneyard backup ~/boneyard-monday.sqlite")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--data", type=FOLDER, default=None, help="Data directory of the server.")
def backup(file: Path, data: Path | None) -> None:
    """Copy a server's database to a new file, even while the server runs.

    The copy has the names, bans, and tables with matches in progress. The server's key and the records of
    finished matches are ordinary files; copy them yourself.
    """
    from net.storage.permissions import StoreError  # noqa: PLC0415
    from net.storage.sqlite import back_up  # noqa: PLC0415

    with fail_on(StoreError):
        back_up(data or default_data(), file)
    click.echo(
        f"{file}: {file.stat().st_size:,} bytes. To restore it, stop the host and put it in the old one's place."
    )


@click.group(epilog='Examples:  boneyard admin status  ·  boneyard admin ban 203.0.113.7 --why "floods the chat"')
@click.option("--data", type=FOLDER, default=None, help="Data directory of the server.")
@click.pass_context
def admin(context: click.Context, data: Path | None) -> None:
    """Manage a running server from its own machine."""
    context.obj = data or default_data()


def _send_request(context: click.Context, **request: str) -> None:
    from net.host.admin import AdminError, ask  # noqa: PLC0415

    with fail_on(AdminError):
        lines = ask(context.obj, request)
    for line in lines:
        click.echo(line)


def _add_command(name: str, help: str, example: str = "", *arguments: click.Argument) -> None:  # noqa: A002 - click's word
    """Add a command that sends its name and its arguments to the host."""
    command = click.Command(
        name,
        help=help,
        epilog=f"Example:  boneyard admin {name}{example}",
        params=[*arguments],
        callback=click.pass_context(partial(_send_request, do=name)),
    )
    admin.add_command(command)


_WHO_ARGUMENT = click.Argument(["who"])
_add_command("status", "Show the number of guests, and whether everything is saved.")
_add_command("tables", "List the tables.")
_add_command("guests", "List connected people: connection, name, address, key, place.")
_add_command("bans", "List banned keys and addresses.")
_add_command("drain", "Empty a node of a cluster, then end it: other nodes take over its tables and guests.")
_add_command(
    "close", "Close a table and keep the record of its moves so far.", " 12", click.Argument(["who"], metavar="TABLE")
)
_add_command(
    "announce",
    "Send a message to the lobby and to every table, in the server's name.",
    ' "The host restarts in five minutes."',
    click.Argument(["text"]),
)
_add_command(
    "maintenance",
    "Begin no new match, and show a countdown of MINUTES to everybody; off calls the maintenance off. "
    "Restart the server when the countdown ends.",
    " 15",
    click.Argument(["minutes"]),
)
_add_command(
    "notice",
    'Show a message to everybody who logs in, until another one or an empty one ("") replaces it.',
    ' "On Friday there is a tournament, from eight."',
    click.Argument(["text"]),
)


_target_arguments = combine_options(
    click.argument("who", default=""),
    click.option("--name", default="", help="Name of somebody who is connected or known."),
    click.option("--key", default="", help="A key's fingerprint, SHA256:…"),
    click.option("--address", default="", help="An IP address."),
)
"""The key, address or name that a command is about: a word that can mean only one of them, or an option."""


def _parse_target(who: str, name: str, key: str, address: str) -> dict[str, str]:
    typed_values = {"": who, "name": name, "key": key, "address": address}
    chosen = [(kind, value) for kind, value in typed_values.items() if value]
    if len(chosen) != 1:
        raise BadUse("Name WHO, or use one of --name, --key and --address.")
    ((kind, value),) = chosen
    return {"who": value, "kind": kind}


@admin.command(
    epilog='Examples:  boneyard admin ban eve --for 7d  ·  boneyard admin ban 203.0.113.7 --why "floods the chat"'
)
@_target_arguments
@click.option("--for", "span", default="", metavar="TIME", help="Time until the ban ends, like 30m, 12h, 7d or 4w.")
@click.option("--why", default="", help="A note for yourself.")
@click.pass_context
def ban(context: click.Context, who: str, name: str, key: str, address: str, span: str, why: str) -> None:
    """Ban somebody by key, address or known name, and disconnect them.

    A name stands for all keys of its account. A guest without a key has only an address, which others may share:
    ban it with --address.
    """
    _send_request(context, do="ban", **_parse_target(who, name, key, address), why=why, **{"for": span})


@admin.command(epilog="Examples:  boneyard admin pardon eve  ·  boneyard admin pardon 203.0.113.7")
@_target_arguments
@click.pass_context
def pardon(context: click.Context, who: str, name: str, key: str, address: str) -> None:
    """Lift the ban on a key, an address, or all keys of a name."""
    _send_request(context, do="pardon", **_parse_target(who, name, key, address))


@admin.command(epilog="Examples:  boneyard admin unbind eve")
@click.argument("who")
@click.pass_context
def unbind(context: click.Context, who: str) -> None:
    """Give a key its own account again, or all keys that have joined the account of a name."""
    _send_request(context, do="unbind", who=who)


@admin.command(epilog="Example:  boneyard admin export ann > ann.json")
@click.argument("who")
@click.pass_context
def export(context: click.Context, who: str) -> None:
    """Print what the server stores about a name or a key, as JSON."""
    person, records, _signing = _fetch_person(context, who, "export")
    person["records"] = [{"file": path.name, "seats": sorted(seats)} for path, seats in records]
    click.echo(json.dumps(person, ensure_ascii=False, indent=2))


@admin.command(epilog="Example:  boneyard admin forget ann")
@click.argument("who")
@click.option("--yes", is_flag=True, help="Do not ask whether you are sure.")
@click.pass_context
def forget(context: click.Context, who: str, yes: bool) -> None:
    """Free a name, and remove what the server stores about its owner.

    In the records of finished matches the person gets a pseudonym, and the server signs them again; witnesses
    are lost, and links to these matches end. Bans stay, and so do backups and logs.
    """
    from net.players.text import new_code  # noqa: PLC0415
    from net.storage.personal import RecordUntouchedError, give_pseudonym  # noqa: PLC0415

    if not yes:
        click.confirm(f"Forget {who} for good?", abort=True)
    person, records, signing = _fetch_person(context, who, "forget")
    pseudonym = f"gone-{new_code(6)}"
    changed = 0
    for path, seats in records:
        try:
            give_pseudonym(path, seats, pseudonym, signing)
            changed += 1
        except (RecordUntouchedError, OSError) as error:
            click.echo(f"boneyard: A record keeps the name: {error}", err=True)
    click.echo(f"{person['name']} is forgotten. In {changed} of {len(records)} records they are now {pseudonym}.")
    if (context.obj / "cluster.pem").exists():
        click.echo("Records in the database keep the name until `boneyard admin records --forget` removes them.")
    for ban in person["bans"]:
        click.echo(f"The key {ban['key']} is still banned; boneyard admin pardon {ban['key']} ends that.")


def _fetch_person(
    context: click.Context, who: str, command: str
) -> tuple[dict[str, Any], list[tuple[Path, set[int]]], "Signing"]:
    """Request data about a name or key from the host; return it, the records with that name, and the signing
    functions.

    `command` is the one for the host. Raises Failed.
    """
    from net.host.admin import AdminError, ask  # noqa: PLC0415
    from net.ssh.keys import KeyFileError, signing  # noqa: PLC0415
    from net.storage.personal import records_of  # noqa: PLC0415

    data: Path = context.obj
    with fail_on(AdminError, KeyFileError):
        signers = signing(data / "host_key")  # first: without the key, records would keep a name that is forgotten
        person = json.loads(ask(data, {"do": command, "who": who})[0])
    return person, list(records_of(data / "records", person["name"], person["keys"], signers)), signers


@admin.command(epilog="Examples:  boneyard admin kick eve  ·  boneyard admin kick --address 203.0.113.7")
@_target_arguments
@click.pass_context
def kick(context: click.Context, who: str, name: str, key: str, address: str) -> None:
    """Disconnect somebody by name, key or address; they may come back."""
    _send_request(context, do="kick", **_parse_target(who, name, key, address))


@admin.command(epilog="Example:  boneyard admin --data ~/boneyard secret")
@click.pass_context
def secret(context: click.Context) -> None:
    """Make the secret of a new cluster in the data directory; copy it to all its nodes.

    It is a key and a certificate by which nodes know each other. A machine that has them is a node of the cluster.
    """
    from net.cluster.tls import CLUSTER_FILE, SecretError, make_secret  # noqa: PLC0415

    path = context.obj / CLUSTER_FILE
    with fail_on(SecretError):
        is_new = make_secret(path)
    if not is_new:
        raise Failed(f"{path} is there already; copy it to the other nodes, or remove it first.")
    click.echo(f"{path} is made. Copy it to the data directory of every node (scp -p), and show it to nobody else.")


@admin.command("import", epilog="Example:  boneyard admin --data ~/boneyard import")
@click.argument("cluster", metavar="[URL]", envvar=VARIABLE)
@click.pass_context
def import_(context: click.Context, cluster: str) -> None:
    """Move names, bans and tables of a stopped server into a cluster's database.

    Records of finished matches are files and stay where they are. Copy host_key to every node, so that guests
    find the server that they know. Without URL, the database is the one in BONEYARD_CLUSTER.
    """
    from net.loop import run  # noqa: PLC0415
    from net.storage.permissions import StoreError  # noqa: PLC0415

    require_packages(CLUSTER, CLUSTER_NEEDS, "admin import URL")
    from net.cluster.importing import import_into  # noqa: PLC0415

    with fail_on(StoreError):
        lines = run(import_into(cluster, context.obj))
    for line in lines:
        click.echo(line)


@admin.command(epilog="Example:  boneyard admin records ~/records --forget 30")
@click.argument("words", nargs=-1, metavar="[URL] FOLDER")
@click.option(
    "--forget",
    type=click.IntRange(min=1, max=36_500),
    metavar="DAYS",
    help="Then delete from the database the matches that ended DAYS days ago or earlier.",
)
def records(words: tuple[str, ...], forget: int | None) -> None:
    """Write the records of a cluster's finished matches to files.

    Records that are already in the folder stay as they are, so doing this again adds only what is new. Without
    URL, the database is the one in BONEYARD_CLUSTER.
    """
    cluster, folder = words if len(words) == 2 else (os.environ.get(VARIABLE, ""), *words[:1]) if words else ("", "")
    if not cluster or not folder or len(words) > 2:
        raise BadUse(f"Give FOLDER, and the database as URL before it or in {VARIABLE}.")
    from net.loop import run  # noqa: PLC0415
    from net.storage.permissions import StoreError  # noqa: PLC0415

    require_packages(CLUSTER, CLUSTER_NEEDS, "admin records [URL] FOLDER")
    from net.cluster.importing import export_records  # noqa: PLC0415

    with fail_on(StoreError):
        click.echo(run(export_records(cluster, Path(folder), forget)))
