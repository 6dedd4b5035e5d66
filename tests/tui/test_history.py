"""`boneyard history` and `boneyard continue`: what is listed of matches alone, whatever lies in the directory."""

import json
import os
import time

import pytest

from core.records import FORMAT
from tests.core.coach.matches import lines
from tests.net.alone import alone
from tests.tui.test_cli import refused, run


@pytest.fixture
def records(tmp_path):
    (tmp_path / "records").mkdir()
    return tmp_path / "records"


def listed(records, *more):
    """What the command lists as JSON."""
    result = run("history", "--json", "--data", str(records.parent), *more)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def put(records, name, text_lines):
    (records / name).write_text("".join(f"{line}\n" for line in text_lines))


def test_finished_matches_are_listed_the_newest_first_with_players_and_result(records):
    put(records, "20260102-200000-000000-block-alone.jsonl", lines())
    put(records, "20260103-200000-000000-draw-7.jsonl", lines("draw", seed=b"4"))
    one, two = listed(records)

    assert (one["game"], two["game"]) == ("draw", "block")
    assert two["players"] == ["greedy 1", "random 2"]
    assert two["matches"] == 1
    assert two["winners"]
    assert two["file"] == str(records / "20260102-200000-000000-block-alone.jsonl")
    shown = run("history", "--data", str(records.parent)).stdout.splitlines()
    assert len(shown) == 2
    assert f"{two['winners'][0]} won, {two['scores'][0]} : {two['scores'][1]}" in shown[1]
    assert shown[1].endswith(two["file"])


def test_what_is_listed_can_be_verified(records):
    put(records, "20260102-200000-000000-block-alone.jsonl", lines())

    assert run("verify", listed(records)[0]["file"]).exit_code == 0


def test_there_is_a_limit_and_a_word_about_the_rest(records):
    for day in range(10, 15):
        put(records, f"202601{day}-200000-000000-block-alone.jsonl", lines())

    assert [row["file"].split("/")[-1][:8] for row in listed(records, "--limit", "2")] == ["20260114", "20260113"]
    assert "3 older records not listed" in run("history", "--limit", "2", "--data", str(records.parent)).stderr


def test_where_nothing_is_recorded_that_is_said(tmp_path):
    assert "No match is recorded in" in run("history", "--data", str(tmp_path / "none")).stdout
    assert listed(tmp_path / "none" / "records") == []


def test_of_a_file_with_several_matches_the_last_is_told(records):
    put(records, "two.jsonl", [*lines(), *lines(seed=b"4")])

    assert listed(records)[0]["matches"] == 2
    assert "the last of 2 matches" in run("history", "--data", str(records.parent)).stdout


def test_evidence_against_a_host_is_not_a_record(records):
    put(records, "20260102-200000-000000-evidence.jsonl", ['{"type":"evidence","host":"x","problem":"y"}'])

    assert listed(records) == []


GOOD = lines()
NAMES = '{"type":"match","format":%d,"game":"draw","options":{},"seats":%s,"software":""}'


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\xff\xfe\x00",
        b"{" * 5000,
        b"x" * 500_000,
        "\n".join(GOOD[:-2]).encode(),
        "\n".join(GOOD[:-1]).encode(),
        "\n".join(GOOD[1:]).encode(),
        "\n".join([*GOOD, GOOD[3]]).encode(),
        "\n".join([GOOD[0], *GOOD]).encode(),
        "\n".join([*GOOD[:4], *GOOD[5:]]).encode(),
        "\n".join(GOOD).replace("greedy 1", "eve").encode(),
        (NAMES % (FORMAT, "[]")).encode(),
        (NAMES % (FORMAT, '[{"name":"\\u001b[2J"}]') + '\n{"type":"end","winners":[0]}').encode(),
        GOOD[0].replace("block", "no such game").encode(),
    ],
    ids=range(15),
)
def test_a_broken_file_is_one_row_that_says_so(records, data):
    (records / "broken.jsonl").write_bytes(data)
    put(records, "good.jsonl", GOOD)
    rows = {row["file"].split("/")[-1]: row for row in listed(records)}

    assert rows["good.jsonl"]["problem"] == ""
    assert rows["broken.jsonl"]["problem"]
    shown = run("history", "--data", str(records.parent))
    assert shown.exit_code == 0
    assert len(shown.stdout.splitlines()) == 2
    assert [line for line in shown.stdout.splitlines() if not line.isprintable()] == []
    assert "broken: " in shown.stdout


@pytest.mark.parametrize("name", ["99991231-235959-000000.jsonl", "00010101-000000-000000.jsonl"])
def test_a_time_that_no_calendar_has_is_one_row_all_the_same(records, monkeypatch, name):
    put(records, name, GOOD)
    put(records, "20260102-200000-000000.jsonl", GOOD)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        shown = run("history", "--data", str(records.parent))
    finally:
        monkeypatch.undo()
        time.tzset()

    assert shown.exit_code == 0
    times = [line.split("  ")[0] for line in shown.stdout.splitlines()]
    assert sorted(times) == ["03/01/2026, 05:00", "?"]


def test_names_in_a_file_are_cleaned(records):
    text = GOOD[0].replace("greedy 1", "\\u001b[2J\\u202e" + "e" * 500)
    from core.seals import sealed  # noqa: PLC0415

    end = next(n for n, line in enumerate(GOOD) if line.startswith('{"type":"end"'))
    body = [text, *GOOD[1 : end + 1]]
    from core.records import write  # noqa: PLC0415

    put(records, "one.jsonl", [*body, write(sealed(body))])
    (row,) = listed(records)

    assert row["problem"] == ""
    assert row["players"][0] == ("[2J" + "e" * 500)[:16]


def test_what_is_no_file_is_not_waited_for(records):
    os.mkfifo(records / "pipe.jsonl")
    (records / "folder.jsonl").mkdir()
    (records / "nowhere.jsonl").symlink_to(records / "none")

    assert all(row["problem"] for row in listed(records))
    assert len(listed(records)) == 3


async def test_kept_matches_are_listed_with_numbers(tmp_path):
    async with alone(tmp_path) as ada:
        await ada.acts(lambda match: any(match.scores))
        score = ada.match.scores[0]

    shown = run("continue", "--list", "--data", str(tmp_path)).stdout
    assert shown.startswith("  1  ")
    assert f"Draw, round 2, you {score}" in shown or f"Draw, round 1, you {score}" in shown
    (row,) = json.loads(run("continue", "--json", "--data", str(tmp_path)).stdout)
    assert (row["game"], row["score"], row["problem"]) == ("draw", score, "")


def test_what_is_not_kept_is_refused_in_a_sentence(tmp_path):
    place = ("--data", str(tmp_path))

    assert "No unfinished match is kept" in refused("continue", *place, code=1)
    assert "No unfinished match of Draw is kept" in refused("continue", "draw", *place, code=1)
    assert "There is no kept match 3" in refused("continue", "3", *place)
    assert "Did you mean draw" in refused("continue", "drow", *place)
    assert "No unfinished match" in run("continue", "--list", *place).stdout
