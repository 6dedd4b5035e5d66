"""`boneyard verify`: its first lines, its requirements, and forged files."""

import json
import tracemalloc

import asyncssh
import pytest
from click.testing import CliRunner

from core.records import TOO_LONG
from net.ssh.keys import KnownHosts, signing
from tests.mutations import lines_of, signed, to_json, unsealed
from tests.net.ssh.test_keys import BAD_LINES
from tui.cli.main import boneyard


@pytest.fixture
def keys(tmp_path):
    return signing(tmp_path / "host_key"), signing(tmp_path / "player_key")


@pytest.fixture
def verify(tmp_path):
    """Write lines into a file and verify it, with an empty folder of known hosts."""

    def run(lines, *options):
        file = tmp_path / "match.jsonl"
        if lines is not None:
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return CliRunner().invoke(boneyard, ["verify", str(file), "--data", str(tmp_path / "mine"), *options])

    return run


def fingerprint(tmp_path, name="host_key"):
    return asyncssh.read_private_key(tmp_path / name).get_fingerprint()


def test_a_signed_record_names_its_signer_and_its_witnesses(verify, keys, tmp_path):
    host, player = keys
    result = verify(signed(lines_of("draw"), host.sign, player.sign))

    assert result.exit_code == 0
    assert "NOT" not in result.output
    assert f"Signed by {fingerprint(tmp_path)}, a key that you do not know" in result.output
    assert f"Witnessed by player 1 in seat 1, with the key {fingerprint(tmp_path, 'player_key')}" in result.output


def test_a_host_that_was_met_is_named(verify, keys, tmp_path):
    key = asyncssh.read_private_key(tmp_path / "host_key")
    known = KnownHosts(tmp_path / "mine" / "known_hosts")
    known.remember("example.org", 2222, asyncssh.generate_private_key("ssh-ed25519"))
    known.path.write_text("# a remark\n|1|hashed ssh-ed25519 AAAA\n\n" + known.path.read_text())
    known.remember("dominoes.example", 2022, key)

    result = verify(signed(lines_of("draw"), keys[0].sign))

    assert f"Signed by {key.get_fingerprint()}, the key of [dominoes.example]:2022" in result.output


def test_a_damaged_line_about_a_host_is_reported_with_its_number_and_ends_nothing(verify, keys, tmp_path):
    known = tmp_path / "mine" / "known_hosts"
    known.parent.mkdir()
    known.write_text(f"[example.org]:2222 {BAD_LINES[0]}\n")

    result = verify(signed(lines_of("draw"), keys[0].sign))

    assert result.exit_code == 0
    assert result.stderr == f"boneyard: Line 1 of {known} is not a host and its key; it was passed over.\n"
    assert f"Signed by {fingerprint(tmp_path)}" in result.output


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (lambda sign: signed(lines_of("draw"), lambda _: ("", "")), "NOT SIGNED (1 match)"),
        (lambda sign: unsealed(lines_of("draw")), "NOT SIGNED (1 match)"),
        (lambda sign: [*signed(lines_of("draw"), sign), *unsealed(lines_of("draw"))], "NOT SIGNED (1 of 2 matches)"),
    ],
)
def test_a_missing_signature_is_reported_first_and_refused_if_one_is_required(verify, keys, tmp_path, lines, first):
    lines = lines(keys[0].sign)
    result = verify(lines)
    assert result.exit_code == 0
    assert result.output.startswith(first)

    for demand in (("--signed",), ("--key", fingerprint(tmp_path))):
        refused = verify(lines, *demand)
        assert refused.exit_code == 1
        assert "is NOT SIGNED" in refused.stderr
        assert refused.stdout == ""


def downgraded(lines):
    """Return the record that an attacker makes of a signed one: no seal, no commitment, and any deal."""
    first = json.loads(lines[0]) | {"format": 1}
    del first["fair"]
    end = json.loads(lines[-1]) | {"secret": ""}
    return [to_json(first), *lines[1:-1], to_json(end)]


def test_a_record_downgraded_to_an_older_one_warns_of_its_missing_proofs(verify, tmp_path):
    result = verify(downgraded(lines_of("draw")))

    assert result.exit_code == 0
    assert result.output.splitlines()[0].startswith("NOT SIGNED")
    assert result.output.splitlines()[1].startswith("DEALS NOT PROVEN")
    assert "Every deal follows" not in result.output
    assert verify(downgraded(lines_of("draw")), "--signed").exit_code == 1


def test_a_key_can_be_demanded(verify, keys, tmp_path):
    lines = signed(lines_of("draw"), keys[0].sign)
    ours = fingerprint(tmp_path)

    assert "the key that you named" in verify(lines, "--key", ours).output
    assert verify(lines, "--key", ours.removeprefix("SHA256:")).exit_code == 0
    assert verify(lines, "--signed").exit_code == 0
    other = verify(lines, "--key", fingerprint(tmp_path, "player_key"))
    assert other.exit_code == 1
    assert f"was signed by {ours}, not by" in other.stderr


def test_a_name_in_a_record_does_not_reach_the_terminal_as_it_is(verify, keys):
    lines = lines_of("draw")
    first = json.loads(lines[0])
    first["seats"][1]["name"] = "\x1b[2J\u202eevil"
    host, player = keys

    result = verify(signed([to_json(first), *lines[1:]], host.sign, player.sign))

    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "[2Jevil" in result.output


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_a_line_of_gigabytes_is_refused_in_a_sentence_and_not_read(command, tmp_path):
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as huge:
        huge.truncate(3 * 2**30)  # a hole: it takes no room
    tracemalloc.start()
    result = CliRunner().invoke(boneyard, [command, str(file)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert result.exit_code == 1
    assert result.stderr.strip() == f"boneyard: {file}, line 1: {TOO_LONG}."
    assert peak < 50 * 2**20


def test_a_last_line_without_its_end_is_a_line(verify, keys, tmp_path):
    (tmp_path / "match.jsonl").write_text("\n".join(signed(lines_of("draw"), keys[0].sign)))

    assert verify(None).exit_code == 0
    (tmp_path / "match.jsonl").write_text("\n".join(signed(lines_of("draw"), keys[0].sign)) + "\n\n")
    assert verify(None).exit_code == 1


KEYS = {
    *(
        "file",
        "kind",
        "valid",
        "accepted",
        "problem",
        "matches",
        "lines",
        "unfinished",
        "agreed",
        "unsigned",
        "uncommitted",
    ),
    *("unshown", "signers", "witnesses"),
}


def test_as_json_a_verdict_has_the_signer_and_the_witnesses(verify, keys, tmp_path):
    host, player = keys
    lines = signed(lines_of("draw"), host.sign, player.sign)
    answer = json.loads(verify(lines, "--json").stdout)

    assert set(answer) == KEYS
    assert (answer["kind"], answer["valid"], answer["accepted"], answer["problem"]) == ("record", True, True, "")
    assert (answer["matches"], answer["lines"], answer["unsigned"]) == (1, len(lines), 0)
    assert answer["signers"] == [{"key": fingerprint(tmp_path), "host": "", "matches": 1}]
    assert answer["witnesses"] == [
        {"name": "player 1", "seat": 1, "key": fingerprint(tmp_path, "player_key"), "matches": 1}
    ]


def test_as_json_a_record_that_is_not_accepted_has_the_same_keys_and_says_why(verify):
    missing = verify(None, "--json")
    unsigned = verify(signed(lines_of("draw"), lambda _: ("", "")), "--signed", "--json")
    broken = verify(lines_of("draw")[:7], "--json")

    for result, valid, problem in (
        (unsigned, True, "NOT SIGNED"),
        (broken, False, "line 8"),
        (missing, False, "read"),
    ):
        answer = json.loads(result.stdout)
        assert result.exit_code == 1
        assert set(answer) == KEYS
        assert (answer["valid"], answer["accepted"]) == (valid, False)
        assert problem in answer["problem"]
        assert answer["problem"] in result.stderr


def test_as_json_invalid_evidence_has_a_reason(verify):
    result = verify(['{"type":"evidence","x":1}'], "--json")
    answer = json.loads(result.stdout)

    assert result.exit_code == 1
    assert set(answer) == {"file", "kind", "accepted", "problem", "host", "shows", "record_signed", "player"}
    assert (answer["kind"], answer["accepted"]) == ("evidence", False)
