"""docs/fair-deals.md is correct: its test vectors, and its own small program, which does not use our code."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.bots.levels import play_match
from core.fair import Share, commit, deal_key, deal_order
from core.games import GAMES
from core.match import new_match
from core.records import write
from core.tiles import full_set
from net.wire.messages import MakeTable, Reveal, Sit
from tests.net.party import Party

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "fair-deals.md").read_text()
PROGRAM = DOCS / "verify_deals.py"


def pledged(byte):
    raw = bytes([byte]) * 32
    return Share(commit(raw), raw.hex())


def test_the_page_has_our_commitment_and_keys():
    secret = bytes(32)

    assert f"`{commit(secret)}`" in PAGE
    assert f"`{deal_key(b'boneyard', (Share(), Share())).hex()}`" in PAGE
    assert f"`{deal_key(secret, (pledged(1), Share())).hex()}`" in PAGE
    assert f"`{deal_key(secret, (pledged(1), pledged(2))).hex()}`" in PAGE


def test_the_page_has_our_orders():
    for key, seats in ((b"boneyard", 4), (deal_key(bytes(32), (pledged(1), pledged(2))), 2)):
        order, lot = deal_order(full_set(6), seats, key, 1)
        revealed = " ".join(map(str, order[:7])).replace("|", "\\|")
        assert f"| {revealed} | {lot} |" in PAGE


def test_the_program_is_short_and_needs_only_the_standard_library():
    text = PROGRAM.read_text()

    assert len(text.splitlines()) <= 100
    modules = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    assert set(modules) <= sys.stdlib_module_names


def judged(tmp_path, lines):
    file = tmp_path / "record.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    run = subprocess.run([sys.executable, "-I", PROGRAM, file], capture_output=True, text=True, timeout=60)
    return run.returncode, run.stdout + run.stderr


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_program_agrees_with_ours_on_every_game(tmp_path, game):
    variant = GAMES[game]
    lines = [
        write(step.line)
        for players in range(variant.seats[0], variant.seats[1] + 1)
        for step in play_match(new_match(variant, players, {}), ("random",) * players, b"1", "test")
    ]

    status, words = judged(tmp_path, lines)

    assert status == 0, words
    deals = sum('"type":"deal"' in line for line in lines)
    assert f"{deals} deals" in words


def with_shares():
    """Return the record of a match in which both had a share."""
    party = Party()
    shares = [bytes([n]) * 32 for n in (7, 8)]
    party.come(1, "ada")
    party.come(2, "bela")
    party.say(1, MakeTable("draw", 2, {"target": 50}, pledge=commit(shares[0])))
    table = party.get_table(party.update(1).table.id)
    party.say(2, Sit(table.id, pledge=commit(shares[1])))
    party.say(1, Reveal(shares[0].hex()))
    party.say(2, Reveal(shares[1].hex()))
    party.play_out(1, 2)
    return list(table.recorded.lines)


def test_the_program_computes_deals_with_shares(tmp_path):
    assert judged(tmp_path, with_shares())[0] == 0


def test_the_program_finds_a_deal_that_was_made_otherwise(tmp_path):
    lines = with_shares()
    at = next(n for n, line in enumerate(lines) if '"deal"' in line)
    deal = json.loads(lines[at])
    deal["tiles"][0], deal["tiles"][1] = deal["tiles"][1], deal["tiles"][0]

    status, words = judged(tmp_path, [*lines[:at], json.dumps(deal), *lines[at + 1 :]])

    assert status == 1
    assert "was not dealt from" in words


def test_the_program_finds_another_secret_and_another_share(tmp_path):
    lines = with_shares()
    end = json.loads(lines[-2]) | {"secret": "00"}
    assert "committed to" in judged(tmp_path, [*lines[:-2], json.dumps(end), lines[-1]])[1]

    first = json.loads(lines[0])
    first["fair"]["shares"][0][1] = "00" * 32
    assert "pledged" in judged(tmp_path, [json.dumps(first), *lines[1:]])[1]


@pytest.mark.parametrize("number", [0, 1, 5, -2, -1])
def test_the_program_does_not_call_a_record_proven_that_stops_early(tmp_path, number):
    status, words = judged(tmp_path, with_shares()[:number])

    assert status == 1
    assert "the record stops before its" in words
    assert "every one follows" not in words


def test_the_program_finds_a_match_without_its_end_before_another(tmp_path):
    lines = with_shares()

    assert "the end of another should be" in judged(tmp_path, [*lines[:-2], *lines])[1]
    assert "the seal of another should be" in judged(tmp_path, [*lines[:-1], *lines])[1]
    assert judged(tmp_path, [*lines, *lines])[0] == 0


def test_the_program_finds_a_line_that_was_changed_or_is_there_twice(tmp_path):
    lines = with_shares()
    renamed = lines[0].replace('"ada"', '"eve"')

    assert "the seal is not that" in judged(tmp_path, [renamed, *lines[1:]])[1]
    assert "the seal is not that" in judged(tmp_path, [*lines, lines[-1]])[1]
    double = lines[0].replace('"game":"draw"', '"game":"block","game":"draw"')
    assert "a key appears twice" in judged(tmp_path, [double, *lines[1:]])[1]


@pytest.mark.parametrize(
    "line",
    ["", "{}", "null", "[]", '{"type":"end"}', '{"type":"seal"}', "[" * 9000, "x" * 70_000, '{"type":7}', "\x00"],
)
def test_the_program_refuses_other_files_in_one_sentence(tmp_path, line):
    status, words = judged(tmp_path, [line])

    assert status == 1
    assert len(words.splitlines()) == 1, words


def test_the_program_reads_no_line_of_gigabytes(tmp_path):
    with (tmp_path / "huge").open("wb") as huge:
        huge.truncate(3 * 2**30)
    run = subprocess.run(
        [sys.executable, "-I", PROGRAM, tmp_path / "huge"], capture_output=True, text=True, timeout=20
    )

    assert run.returncode == 1
    assert "longer than" in run.stderr
