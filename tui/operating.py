"""What the operator of a host does beside it: `boneyard admin …`, `boneyard backup`, `boneyard host --check`."""

from pathlib import Path

import click

from tui.arguments import Failed


def default_data() -> Path:
    """Where everything is kept, unless another place is named."""
    from platformdirs import user_data_path  # noqa: PLC0415

    return user_data_path("boneyard")


def report(data: Path) -> None:
    """Print how a host's data are. Raises Failed when something is wrong."""
    from net.examine import examine  # noqa: PLC0415

    findings = examine(data)
    for finding in findings:
        click.echo(f"{'ok   ' if finding.fine else 'WRONG'}  {finding.sentence}")
    wrong = sum(not finding.fine for finding in findings)
    if wrong:
        raise Failed(f"{wrong} of {len(findings)} things are not as they should be.")


@click.command(epilog="Example:  boneyard backup ~/boneyard-monday.sqlite")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), default=None, help="The host's data directory.")
def backup(file: Path, data: Path | None) -> None:
    """Copy a host's database to a new file, also while the host runs.

    Names, bans, and tables with the matches under way are in it. The host's key and the records of finished
    matches are files that can simply be copied.
    """
    from net.database import StoreError, back_up  # noqa: PLC0415

    try:
        back_up(data or default_data(), file)
    except StoreError as error:
        raise Failed(str(error)) from error
    click.echo(
        f"{file}: {file.stat().st_size:,} bytes. To restore it, stop the host and put it in the old one's place."
    )


@click.group(epilog="Example:  boneyard admin ban 203.0.113.7 --why “floods the chat”")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="The host's data directory.")
@click.pass_context
def admin(context: click.Context, data: Path | None) -> None:
    """Look after a running host, on its own machine."""
    context.obj = data or default_data()


def _asks(context: click.Context, **request: str) -> None:
    from net.admin import AdminError, ask  # noqa: PLC0415

    try:
        lines = ask(context.obj, request)
    except AdminError as error:
        raise Failed(str(error)) from error
    for line in lines:
        click.echo(line)


def _plain(name: str, help: str) -> None:  # noqa: A002 - click's word
    @admin.command(name, help=help)
    @click.pass_context
    def command(context: click.Context) -> None:
        _asks(context, do=name)


_plain("status", "How many are here, and whether everything is saved.")
_plain("tables", "List the tables.")
_plain("guests", "List who is here: connection, name, address, key, place.")
_plain("bans", "List who may not come in.")


@admin.command()
@click.argument("who")
@click.option("--why", default="", help="A note for yourself.")
@click.pass_context
def ban(context: click.Context, who: str, why: str) -> None:
    """Ban a key (SHA256:…), an address, or the key of somebody who is here, by name; and send him away."""
    _asks(context, do="ban", who=who, why=why)


@admin.command()
@click.argument("who")
@click.pass_context
def pardon(context: click.Context, who: str) -> None:
    """Let a banned key or address come in again."""
    _asks(context, do="pardon", who=who)


@admin.command()
@click.argument("who")
@click.pass_context
def kick(context: click.Context, who: str) -> None:
    """Send somebody away by name, key or address; he may come back."""
    _asks(context, do="kick", who=who)


@admin.command()
@click.argument("table")
@click.pass_context
def close(context: click.Context, table: str) -> None:
    """Close a table; its record is kept as far as it went."""
    _asks(context, do="close", who=table)


@admin.command()
@click.argument("text")
@click.pass_context
def say(context: click.Context, text: str) -> None:
    """Say something at every table, in the host's name."""
    _asks(context, do="say", text=text)
