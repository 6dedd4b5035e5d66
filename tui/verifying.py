"""The command `boneyard verify`: what a record proves, by whom, and above all what it does not prove."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from net.text import counted
from tui.arguments import Failed

if TYPE_CHECKING:
    from net.ssh.keys import KnownHosts


@click.command(epilog="Example:  boneyard verify match.jsonl --key SHA256:pQ7…")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--signed", is_flag=True, help="Refuse a record that no key has signed.")
@click.option(
    "--key",
    default="",
    metavar="FINGERPRINT",
    help="Refuse a record that this key has not signed: SHA256:…, as a host shows it at its start.",
)
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Where the keys of known hosts are kept.")
def verify(file: Path, signed: bool, key: str, data: Path | None) -> None:
    """Referee a recorded match again, from its first line to its last, and check who has signed it.

    A record without a signature can have been changed by whoever had it, so that is said first. A signature is worth
    as much as you know of its key: a host that you met is named, another one you can name with --key.
    """
    from core.match import MOST_ACTIONS, MOST_ROUNDS  # noqa: PLC0415
    from core.records import RecordError  # noqa: PLC0415
    from net.ssh.keys import KnownHosts  # noqa: PLC0415
    from net.ssh.sshsig import fingerprint_of  # noqa: PLC0415
    from net.verdict import judge  # noqa: PLC0415
    from tui.operating import default_data  # noqa: PLC0415
    from tui.recorded import Unreadable, lines_of  # noqa: PLC0415

    try:
        verdict = judge(lines_of(file), fingerprint_of)
    except RecordError as error:
        raise Failed(f"{file}, {error}.") from error
    except Unreadable as error:
        raise Failed(str(error)) from error
    if (signed or key) and verdict.unsigned:
        raise Failed(f"{file} is NOT SIGNED: {_of(verdict.unsigned, verdict.matches)} bear no signature.")
    wanted = f"SHA256:{key.removeprefix('SHA256:')}" if key else ""
    others = [signer for signer in verdict.signers if wanted and signer != wanted]
    if others:
        raise Failed(f"{file} was signed by {others[0]}, not by {wanted}.")

    if verdict.unsigned:
        click.echo(
            f"NOT SIGNED ({_of(verdict.unsigned, verdict.matches)}): whoever had the file could have changed names, "
            "moves and results, as long as they still follow the rules."
        )
    if verdict.uncommitted:
        click.echo(
            f"DEALS NOT PROVEN ({_of(verdict.uncommitted, verdict.matches)}): the record is of format 1, which "
            "has no commitment; or somebody took it out."
        )
    click.echo(f"{file}: {counted(verdict.matches, 'match', 'matches')}, {verdict.lines} lines, every one is right.")
    if verdict.unfinished:
        limit = f"{MOST_ROUNDS:,} rounds or {MOST_ACTIONS:,} actions"
        click.echo(f"{verdict.unfinished} of {verdict.matches} unfinished: stopped without a winner, after {limit}.")
    if not verdict.uncommitted and not verdict.unshown:
        click.echo("Every deal follows from what was committed to and pledged before it.")
    for name, count in verdict.unshown.items():
        often = "" if count == 1 else f", {count} times"
        click.echo(
            f"{_shown(name)} had pledged a share and did not show it{often}; the deals follow from the others'."
        )
    known = KnownHosts((data or default_data()) / "known_hosts")
    for signer, count in verdict.signers.items():
        click.echo(f"Signed by {signer}{_whose(signer, wanted, known)} ({_of(count, verdict.matches)}).")
    for (name, seat, signer), count in verdict.witnesses.items():
        often = _of(count, verdict.matches)
        click.echo(f"Witnessed by {_shown(name)} on seat {seat}, with the key {signer} ({often}).")


def _whose(signer: str, wanted: str, known: "KnownHosts") -> str:
    """What there is to say of a key beside its fingerprint."""
    host = known.named(signer)
    if host:
        return f", the key of {host}"
    return ", the key that you named" if signer == wanted else ", a key that you have not met: ask its host"


def _shown(name: str) -> str:
    """A name as it may be shown: whoever wrote the file chose it."""
    from net.limits import NAME_LENGTH  # noqa: PLC0415
    from net.text import clean  # noqa: PLC0415

    return clean(name, NAME_LENGTH) or "?"


def _of(count: int, all_of_them: int) -> str:
    """How many of the matches in a file."""
    told = counted(all_of_them, "match", "matches")
    return told if count == all_of_them else f"{count} of {told}"
