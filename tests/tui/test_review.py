"""The command `boneyard review`: the cost of each decision, the luck, and one sentence for a bad record."""

import json
import re

import pytest

from core.actions import Draw, Lay, Pass
from core.coach.review import Deal, Judgement, compute_part, luck_of
from core.tiles import tile
from net.wire.messages import EndMatch
from tests.core.coach.matches import lines, once, played
from tests.net.table.test_agreement import play_turns, record_lines, seat_players
from tests.tui.test_cli import refused, run
from tui.draw.review import TEXT_WIDTH
from tui.records.history import PastMatch
from tui.screens.review import FileRecord, ReviewedMatch
from tui.text.coach import cost_sentence, decision_sentence

find_once = once(compute_part)


@pytest.fixture(autouse=True)
def _found_once(monkeypatch):
    """Memoize the findings for a match that several reviews in this process analyse."""
    monkeypatch.setattr("net.host.reviewing.compute_part", find_once)


@pytest.fixture
def record(tmp_path):
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(lines()) + "\n")
    return str(file)


def test_a_review_as_json_has_every_decision_of_the_seats_and_the_luck(record):
    output = json.loads(run("review", record, "--json", "--jobs", "1").stdout)

    assert len(output["decisions"]) == len(played().decisions)
    assert set(output["decisions"][0]) == {
        "round",
        "number",
        "seat",
        "action",
        "best",
        "loss",
        "error",
        "kind",
        "margin",
    }
    assert (
        {"fine", "blunder"}
        <= {entry["kind"] for entry in output["decisions"]}
        <= {"fine", "close", "blunder", "exact"}
    )
    assert [entry["round"] for entry in output["luck"]["rounds"]] == list(range(1, played().match.round + 1))
    assert set(output["luck"]["rounds"][0]) == {"round", "gained", "luck", "error"}
    assert set(output["luck"]) == {"gained", "luck", "error", "rounds"}


def test_one_process_and_two_give_the_same_review(record, monkeypatch):
    single = run("review", record, "--json", "--jobs", "1").stdout

    monkeypatch.setattr("net.host.reviewing.compute_part", compute_part)
    assert run("review", record, "--json", "--jobs", "2").stdout == single


def test_a_review_in_words_separates_luck_from_play_and_draws_three_moments(record):
    output = run("review", record, "--jobs", "1").stdout

    assert all(len(line) <= TEXT_WIDTH for line in output.splitlines())
    assert "Played 50 times between equals" in output
    assert "random 2: " in output
    assert "3 moments that decided it" in output
    assert "▶" in output
    assert output.count(" step ") == 3


def test_a_decision_begins_with_a_sentence_and_its_cost_follows(record):
    output = run("review", record, "--jobs", "1").stdout
    first, second = output[output.index("\n1. ") :].split("\n")[1:3]

    assert re.fullmatch(r"1\. \w+ \d (laid|chose) .*; .* better\.", first)
    assert "Cost in points: " in second
    assert "±" not in first + second
    assert "one standard error" in output


def judged(kind, action, best, **more):
    return Judgement(1, 1, 0, action, best, 4.0, 1.0, kind, **more)


@pytest.mark.parametrize(
    ("judgement", "sentence", "cost"),
    [
        (
            judged("exact", Pass(), Draw()),
            "You chose to pass; to draw was better.",
            "Cost in points: 4, for certain.",
        ),
        (
            judged("blunder", Pass(), Draw()),
            "You chose to pass; to draw was better.",
            "A blunder. Cost in points: 4, give or take 1.",
        ),
        (
            judged("close", Pass(), Draw()),
            "You chose to pass; to draw may have been better.",
            "Cost in points: 4, give or take 1.",
        ),
        (judged("fine", Pass(), Pass()), "You chose to pass; that was fine.", ""),
        (
            judged("fine", Pass(), Pass(), margin=3.0),
            "You chose to pass; nothing was better.",
            "Cost in points of everything else: 3 or more.",
        ),
        (
            judged("blunder", Lay(tile("6|4")), Lay(tile("5|5"))),
            "You laid 6|4; 5|5 was better.",
            "A blunder. Cost in points: 4, give or take 1.",
        ),
    ],
)
def test_every_judgement_is_a_sentence_with_its_cost_after_it(judgement, sentence, cost):
    view = played().decisions[0].view.play

    assert decision_sentence(judgement, view, ("ada", "bela"), 0) == sentence
    assert cost_sentence(judgement) == cost
    assert decision_sentence(judgement, view, ("ada", "bela")).startswith("ada ")


def test_without_utf_8_a_review_is_plain_ascii(record):
    assert run("review", record, "--jobs", "1", "--ascii").stdout.isascii()


def test_a_seat_is_chosen_by_its_name_in_any_case(record):
    output = json.loads(run("review", record, "--seat", "Greedy 1", "--json", "--jobs", "1").stdout)

    assert output["reviewed"] == [0]
    assert {entry["seat"] for entry in output["decisions"]} == {0}


def test_the_name_of_another_player_is_refused_with_the_names_of_the_seats(record):
    assert "choose one of: greedy 1, random 2." in refused("review", record, "--seat", "ann")


def test_with_trains_only_luck_and_certain_facts_are_reported(tmp_path):
    file = tmp_path / "trains.jsonl"
    file.write_text("\n".join(lines("mexican-train", ("greedy", "greedy"), **{"set": 9, "mt.rounds": 7})))
    output = " ".join(run("review", str(file), "--jobs", "1").stdout.split())

    assert "no blunders are named" in output
    assert "blunder;" not in output
    assert "50 times between equals" in output


def test_of_several_matches_one_must_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "net.host.reviewing.compute_part", lambda part: luck_of(part) if isinstance(part, Deal) else None
    )
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join([*lines(), *lines(seed=b"4")]))

    assert "has 2 matches; choose one with --match 1 to 2." in refused("review", str(file))
    assert "has 2 matches" in refused("review", str(file), "--match", "3")
    second = json.loads(run("review", str(file), "--match", "2", "--json", "--jobs", "1").stdout)
    assert second["scores"] == list(played(seed=b"4").match.scores)


def changed(number, old, new):
    return [line.replace(old, new) if at == number else line for at, line in enumerate(lines())]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ([], "the file is empty"),
        (lines()[:9], "stops before the match is over"),
        (lines()[:1], "stops before the match is over"),
        ([*lines()[:5], *lines()[6:]], "line "),
        (['{"type":"game","moves":[]}'], "this is not a line of a record"),
        (changed(1, '"tiles":[', '"hidden":['), "this is not a line of a record"),
        (changed(0, '"format":3', '"format":9'), "this is format 9"),
        (changed(0, '"game":"block"', '"game":"chess"'), "There is no game"),
        (["[" * 100_000], "line 1"),
    ],
)
def test_a_record_that_cannot_be_reviewed_is_refused_with_the_reason(tmp_path, text, sentence):
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join(text))

    assert sentence in refused("review", str(file), code=1)


def test_an_unreadable_file_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")

    assert "not UTF-8" in refused("review", str(tmp_path / "noise"), code=1)
    assert "cannot be read" in refused("review", str(tmp_path / "none"), code=1)


@pytest.fixture
def resigned(tmp_path):
    """Return the file of a match that one of two players resigned."""
    party = seat_players("ada", "bela")
    next(play_turns(party, 1, 2))
    party.say(2, EndMatch(resigns=True))
    file = tmp_path / "resigned.jsonl"
    file.write_text("\n".join(record_lines(party)) + "\n")
    return file


def test_a_match_that_was_resigned_is_not_reviewed(resigned):
    assert "was resigned" in refused("review", str(resigned), code=1)


async def test_the_review_of_a_resigned_match_says_why_there_is_none(resigned):
    async def find(_part):
        raise AssertionError("a resigned match must not be computed")

    reviewed = ReviewedMatch(FileRecord(PastMatch(str(resigned), 0.0)), find)
    await reviewed.review()

    assert reviewed.problem == "The match was resigned, so it cannot be reviewed."


def test_a_match_that_was_stopped_is_not_reviewed(tmp_path, monkeypatch):
    monkeypatch.setattr("core.match.MOST_ROUNDS", 1)
    file = tmp_path / "stopped.jsonl"
    run("sim", "block", "--seed", "1", "--record", str(file))

    assert "stopped without a result" in refused("review", str(file), code=1)


def test_a_review_can_be_cancelled(record, monkeypatch):
    def interrupted(part):
        raise KeyboardInterrupt

    monkeypatch.setattr("net.host.reviewing.compute_part", interrupted)
    result = run("review", record, "--jobs", "1")

    assert result.exit_code == 130
    assert result.stdout == ""
    assert result.stderr == "boneyard: The review was cancelled.\n"


def test_in_plain_text_a_review_is_whole_sentences_without_a_drawn_board(record):
    output = run("review", record, "--plain", "--jobs", "1").stdout

    assert all(line.endswith(".") for line in output.splitlines())
    assert "3 moments decided it." in output
    assert "The first tile is " in output
    assert not set("▐▌│▶") & set(output)
