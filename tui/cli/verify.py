"""The command `boneyard verify`: the proofs in a record, its signers, and above all what it does not prove."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.arguments import FOLDER, complete_records, default_data, find_record
from tui.failures import Failed, print_sentence
from tui.i18n import _, number, several

if TYPE_CHECKING:
    from net.client.verify_match import Verdict
    from net.ssh.keys import KnownHosts


KEY_LENGTH = 80
"""Maximum characters of a displayed fingerprint; one has 50."""


@click.command(epilog="Examples:  boneyard verify last  ·  boneyard verify match.jsonl --key SHA256:pQ7…")
@click.argument("name", metavar="FILE|NUMBER|last", shell_complete=complete_records)
@click.option("--signed", is_flag=True, help="Reject an unsigned record.")
@click.option(
    "--key",
    default="",
    metavar="FINGERPRINT",
    help="Reject a record that this key did not sign: SHA256:…, as a server prints it at startup.",
)
@click.option("--data", type=FOLDER, default=None, help="Directory with records and the keys of known servers.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(name: str, signed: bool, key: str, data: Path | None, as_json: bool) -> None:
    """Check a recorded match against the rules, and who signed it.

    FILE is a record, NUMBER a line of `boneyard history`, `last` the last match.

    Anybody who had an unsigned record could have changed it, so a missing signature is reported first. A signature
    is worth as much as you know about its key. A server that you have joined is named; use --key to name another.

    If FILE is evidence against a server, which 'boneyard join' keeps next to its records, this replays everything
    that the player's program sent and received, and reports what the server did.
    """
    from net.ssh.keys import KnownHosts  # noqa: PLC0415
    from net.storage.solo_matches import is_solo_record  # noqa: PLC0415

    file = find_record(name, data)
    known_hosts = KnownHosts((data or default_data()) / "known_hosts")
    for sentence in known_hosts.damage_reports():
        click.echo(f"boneyard: {sentence}", err=True)
    if _is_evidence(file):
        _report_evidence(file, known_hosts, as_json)
        return
    named_key = f"SHA256:{key.removeprefix('SHA256:')}" if key else ""
    verdict = None
    try:
        verdict = _verdict_of(file)
        _require_signatures(file, verdict, named_key, signed or bool(key))
    except Failed as error:
        if as_json:
            click.echo(_json_of(file, verdict, known_hosts, error.message))
        raise
    if as_json:
        click.echo(_json_of(file, verdict, known_hosts))
    elif (
        is_solo_record(file, data or default_data())
        and verdict.unsigned == verdict.matches
        and not verdict.uncommitted
    ):
        _print_solo_result(file, verdict)
    else:
        _print_proofs(file, verdict, named_key, known_hosts)


def _verdict_of(file: Path) -> "Verdict":
    """Return what a record proves. Raises Failed if it is invalid."""
    from core.records import RecordError  # noqa: PLC0415
    from net.client.verify_match import verify_record  # noqa: PLC0415
    from net.ssh.keys import fingerprint_of  # noqa: PLC0415
    from tui.records.reader import lines_of  # noqa: PLC0415

    try:
        return verify_record(lines_of(file), fingerprint_of)
    except RecordError as error:
        raise Failed(f"{file}, {error}.") from error


def _require_signatures(file: Path, verdict: "Verdict", named_key: str, requires_signature: bool) -> None:
    """Raise Failed if signatures are missing, or by other keys than `named_key`."""
    if requires_signature and verdict.unsigned:
        raise Failed(
            "{file} is NOT SIGNED: {which} without a signature.",
            file=file,
            which=_count_words(verdict.unsigned, verdict.matches),
        )
    other_signers = [signer for signer in verdict.signers if named_key and signer != named_key]
    if other_signers:
        raise Failed(
            "{file} was signed by {signer}, not by {wanted}.", file=file, signer=other_signers[0], wanted=named_key
        )


def _json_of(file: Path, verdict: "Verdict | None", known_hosts: "KnownHosts", problem: str = "") -> str:
    """Return a verdict as JSON; the keys are always the same, and docs/records.md explains them."""
    from net.client.verify_match import Verdict  # noqa: PLC0415

    findings = verdict or Verdict()
    return json.dumps(
        {
            "file": str(file),
            "kind": "record",
            "valid": verdict is not None,
            "accepted": not problem,
            "problem": problem,
            "matches": findings.matches,
            "lines": findings.lines,
            "unfinished": findings.unfinished,
            "agreed": findings.agreed,
            "unsigned": findings.unsigned,
            "uncommitted": findings.uncommitted,
            "unshown": [
                {"name": _displayable_name(name), "matches": count} for name, count in findings.unshown.items()
            ],
            "signers": [
                {"key": signer, "host": known_hosts.host_with_key(signer), "matches": count}
                for signer, count in findings.signers.items()
            ],
            "witnesses": [
                {"name": _displayable_name(name), "seat": seat, "key": signer, "matches": count}
                for (name, seat, signer), count in findings.witnesses.items()
            ],
        },
        ensure_ascii=False,
    )


def _print_proofs(file: Path, verdict: "Verdict", named_key: str, known_hosts: "KnownHosts") -> None:
    """Print the proofs in a record, preceded by what is not proven."""
    if verdict.unsigned:
        print_sentence(
            "NOT SIGNED ({which}): anybody who had the file could have changed names, moves and "
            "results, within the rules.",
            which=_count_words(verdict.unsigned, verdict.matches),
        )
    if verdict.uncommitted:
        print_sentence(
            "DEALS NOT PROVEN ({which}): the record has format 1, which has no commitment, or somebody removed it.",
            which=_count_words(verdict.uncommitted, verdict.matches),
        )
    click.echo(
        several(
            "{file}: {count} match, {lines} lines, all valid.",
            "{file}: {count} matches, {lines} lines, all valid.",
            verdict.matches,
            file=file,
            lines=verdict.lines,
        )
    )
    _print_unfinished(verdict)
    if not verdict.uncommitted and not verdict.unshown:
        print_sentence("Every deal follows from the commitment and pledges made before it.")
    for name, count in verdict.unshown.items():
        click.echo(
            several(
                "{name} pledged a share but did not reveal it; the deals follow from other shares.",
                "{name} pledged a share but did not reveal it, {count} times; the deals follow from other shares.",
                count,
                name=_displayable_name(name),
            )
        )
    for signer, count in verdict.signers.items():
        print_sentence(
            "Signed by {signer} ({which}).",
            signer=signer + _key_note(signer, named_key, known_hosts),
            which=_count_words(count, verdict.matches),
        )
    for (name, seat, signer), count in verdict.witnesses.items():
        print_sentence(
            "Witnessed by {name} in seat {seat}, with the key {signer} ({which}).",
            name=_displayable_name(name),
            seat=seat,
            signer=signer,
            which=_count_words(count, verdict.matches),
        )


def _print_solo_result(file: Path, verdict: "Verdict") -> None:
    """Print that a solo record is valid: it needs no signature of others."""
    click.echo(
        several(
            "{file} is the record of a match that you played against bots: {count} line, valid, and the deals are "
            "right.",
            "{file} is the record of a match that you played against bots: {count} lines, valid, and the deals are "
            "right.",
            verdict.lines,
            file=file,
        )
    )
    _print_unfinished(verdict)


def _print_unfinished(verdict: "Verdict") -> None:
    from core.match import MOST_ACTIONS, MOST_ROUNDS  # noqa: PLC0415

    if verdict.unfinished:
        print_sentence(
            "{some} of {matches} unfinished: stopped without a winner after {rounds} rounds or {actions} moves.",
            some=verdict.unfinished,
            matches=verdict.matches,
            rounds=number(MOST_ROUNDS),
            actions=number(MOST_ACTIONS),
        )
    if verdict.agreed:
        print_sentence(
            "{some} of {matches} ended without a winner, as the players agreed.",
            some=verdict.agreed,
            matches=verdict.matches,
        )


def _is_evidence(file: Path) -> bool:
    from net.client.shares import EVIDENCE_START  # noqa: PLC0415

    try:
        with file.open("rb") as stream:
            return stream.read(len(EVIDENCE_START)) == EVIDENCE_START.encode()
    except OSError:
        return False  # the next reader reports the error


def _report_evidence(file: Path, known_hosts: "KnownHosts", as_json: bool) -> None:
    """Print what an evidence file proves, and its source. Raises Failed if it proves nothing against the host."""
    from net.client.shares import MAX_LINE_LENGTH, EvidenceError, read_evidence  # noqa: PLC0415
    from net.client.verify_match import NO_RECORD, replay_evidence  # noqa: PLC0415
    from net.players.text import clean  # noqa: PLC0415
    from net.ssh.client.connect import LoginKeys  # noqa: PLC0415
    from tui.records.reader import Unreadable, lines_of  # noqa: PLC0415

    login = LoginKeys()

    def report_failure(sentence: str) -> Failed:
        if as_json:
            click.echo(_evidence_json(file, problem=sentence))
        return Failed(sentence)

    try:
        evidence = read_evidence(lines_of(file, MAX_LINE_LENGTH), login.check)
    except EvidenceError as error:
        raise report_failure(_("{file} is not evidence: {error}.", file=file, error=error)) from error
    except Unreadable as error:
        raise report_failure(str(error)) from error
    login.host = evidence.accusation.host
    result = replay_evidence(evidence, login)
    problem = result.problem
    if not problem and evidence.accusation.problem == NO_RECORD and not evidence.record:
        problem = NO_RECORD
    if not problem:
        raise report_failure(_("{file} shows nothing that the server did wrong.", file=file))
    host = clean(evidence.accusation.host, KEY_LENGTH)
    if as_json:
        signed = bool(evidence.record) and result.signed
        accused = {"key": host, "host": known_hosts.host_with_key(host)}
        click.echo(_evidence_json(file, host=accused, shows=problem, record_signed=signed, player=evidence.signer))
        return
    print_sentence(
        "{file}: evidence against the server with the key {host}.",
        file=file,
        host=host + _key_note(host, "", known_hosts),
    )
    print_sentence("What the server did: {problem}.", problem=problem)
    if evidence.record and result.signed:
        print_sentence("The record of the match in it is signed by the server.")
    elif evidence.record:
        print_sentence("The record of the match in it is not signed by the server.")
    if evidence.signer:
        print_sentence(
            "Everything else in it is the word of the player with the key {signer}, who signed it.",
            signer=evidence.signer,
        )
    else:
        print_sentence("Everything else in it is the word of whoever gave you the file: nobody signed it.")


def _evidence_json(file: Path, **findings: object) -> str:
    """Return the proofs in evidence as JSON; the keys are always the same, and docs/records.md explains them."""
    fields = {"file": str(file), "kind": "evidence", "accepted": "problem" not in findings, "problem": ""}
    defaults = {"host": {"key": "", "host": ""}, "shows": "", "record_signed": False, "player": ""}
    return json.dumps(fields | defaults | findings, ensure_ascii=False)


def _key_note(signer: str, named_key: str, known_hosts: "KnownHosts") -> str:
    """Return a note about a key, to follow its fingerprint."""
    host = known_hosts.host_with_key(signer)
    if host:
        return _(", the key of {host}", host=host)
    return _(", the key that you named") if signer == named_key else _(", a key that you do not know: ask its owner")


def _displayable_name(name: str) -> str:
    """Return a name that is safe to print: the writer of the file chose it."""
    from net.limits import NAME_LENGTH  # noqa: PLC0415
    from net.players.text import clean  # noqa: PLC0415

    return clean(name, NAME_LENGTH) or "?"


def _count_words(count: int, total: int) -> str:
    """Return `count` of `total` matches in words."""
    if count == total:
        return several("{count} match", "{count} matches", count)
    return several("{some} of {count} match", "{some} of {count} matches", total, some=count)
