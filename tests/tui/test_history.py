"""`boneyard history`, `stats` and `continue`: the list of solo matches, whatever lies in the directory."""

import json
import os
import time

import msgspec
import pytest

from core.actions import GiveUp
from core.coach.review import Deal, luck_of, read_match
from core.games import GAMES
from core.match import new_match
from core.records import FORMAT, Seat, seal_of, write
from net.table.persistence import Dealer, RecordedMatch
from tests.core.coach.matches import lines
from tests.net.solo import solo_player
from tests.tui.test_cli import refused, run
from tui.records.history import INDEX_FILE, NOTES_FILE, id_of, keep_seat, list_matches


@pytest.fixture
def records(tmp_path):
    (tmp_path / "records").mkdir()
    return tmp_path / "records"


def listed(records, *more):
    """Return the output of the command as JSON."""
    result = run("history", "--json", "--data", str(records.parent), *more)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def put(records, name, text_lines):
    (records / name).write_text("".join(f"{line}\n" for line in text_lines))


def test_finished_matches_are_listed_the_newest_first_with_players_and_result(records):
    put(records, "20260102-200000-000000-block-alone.jsonl", lines())
    put(records, "20260103-200000-000000-draw-7.jsonl", lines("draw", seed=b"4"))
    newest, oldest = listed(records)

    assert (newest["game"], oldest["game"]) == ("draw", "block")
    assert oldest["players"] == ["greedy 1", "random 2"]
    assert oldest["matches"] == 1
    assert oldest["winners"]
    assert oldest["file"] == str(records / "20260102-200000-000000-block-alone.jsonl")
    output = run("history", "--data", str(records.parent)).stdout.splitlines()
    assert len(output) == 2
    assert f"{oldest['winners'][0]} won, {oldest['scores'][0]} : {oldest['scores'][1]}" in output[1]
    assert all(len(line) <= 80 for line in output)
    assert [line.split()[0] for line in output] == ["1", "2"]


def test_listed_matches_can_be_verified(records):
    put(records, "20260102-200000-000000-block-alone.jsonl", lines())

    assert run("verify", listed(records)[0]["file"]).exit_code == 0


def test_history_lists_the_newest_up_to_a_limit_and_counts_the_others(records):
    for day in range(10, 15):
        put(records, f"202601{day}-200000-000000-block-alone.jsonl", lines())

    assert [row["file"].split("/")[-1][:8] for row in listed(records, "--limit", "2")] == ["20260114", "20260113"]
    assert "3 older records not listed" in run("history", "--limit", "2", "--data", str(records.parent)).stderr


def test_without_records_the_list_says_so(tmp_path):
    assert "No match is recorded in" in run("history", "--data", str(tmp_path / "none")).stdout
    assert listed(tmp_path / "none" / "records") == []


def test_of_a_file_with_several_matches_the_last_is_listed(records, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
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
    output = run("history", "--data", str(records.parent))
    assert output.exit_code == 0
    assert len(output.stdout.splitlines()) == 2
    assert [line for line in output.stdout.splitlines() if not line.isprintable()] == []
    assert "broken: " in output.stdout


@pytest.mark.parametrize("name", ["99991231-235959-000000.jsonl", "00010101-000000-000000.jsonl"])
def test_a_match_whose_local_time_no_calendar_has_is_listed_with_a_question_mark(records, monkeypatch, name):
    put(records, name, GOOD)
    put(records, "20260102-200000-000000.jsonl", GOOD)
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        output = run("history", "--data", str(records.parent))
    finally:
        monkeypatch.undo()
        time.tzset()

    assert output.exit_code == 0
    times = [line[5:].split("  ")[0] for line in output.stdout.splitlines()]
    assert sorted(times) == ["03/01/2026, 05:00", "?"]


def played_alone(name="block", seed=b"3", won=True, **options):
    """Return the lines of a match of a person against a bot, won or lost."""
    levels = ("greedy", "random") if won else ("random", "greedy")
    text = lines(name, levels, seed, **options)
    first = json.loads(text[0])
    first["seats"] = [{"name": "ada", "bot": ""}, {"name": "Blanche", "bot": "easy"}]
    body = [json.dumps(first, separators=(",", ":")), *text[1:]]
    body = [line for line in body if '"type":"seal"' not in line]
    return [*body, write(seal_of(body))]


@pytest.mark.parametrize("command", ["verify", "replay --plain", "export --as txt -o -", "review --jobs 1"])
def test_a_record_is_named_by_its_number_in_the_list_or_as_the_last(records, command, monkeypatch):
    monkeypatch.setattr(
        "net.host.reviewing.compute_part", lambda part: luck_of(part) if isinstance(part, Deal) else None
    )
    monkeypatch.setattr("tui.run.replay.next_line", lambda: None)
    put(records, "20260102-200000-000000-block-alone.jsonl", lines())
    put(records, "20260103-200000-000000-draw-7.jsonl", lines("draw", seed=b"4"))
    name, *options = command.split()

    def output_of(which):
        result = run(name, which, *options, "--data", str(records.parent))
        assert result.exit_code == 0, result.output
        return result.stdout

    assert output_of("last") == output_of("1") == output_of(str(records / "20260103-200000-000000-draw-7.jsonl"))
    assert output_of("2") == output_of(str(records / "20260102-200000-000000-block-alone.jsonl"))
    for number in ("3", "0"):
        assert "There is no recorded match" in refused(name, number, *options, "--data", str(records.parent))


def test_a_file_named_last_is_read_instead_of_the_last_match(records, monkeypatch):
    put(records, "20260102-200000-000000-block-alone.jsonl", lines())
    put(records, "last", lines("draw", seed=b"4"))
    monkeypatch.chdir(records)

    assert "last: 1 match" in run("verify", "last", "--data", str(records.parent)).stdout


def test_without_records_there_is_no_last_match(tmp_path):
    assert "No match is recorded yet" in refused("verify", "last", "--data", str(tmp_path))


def counted(records):
    return json.loads(run("stats", "--json", "--data", str(records.parent)).stdout)


def test_matches_against_bots_are_counted_by_game_and_level(records):
    for day, won in ((10, True), (11, False), (12, True), (13, True)):
        put(records, f"202601{day}-200000-000000-block-alone.jsonl", played_alone(won=won))
    put(records, "20260114-200000-000000-draw-alone.jsonl", played_alone("draw"))
    put(records, "20260115-200000-000000-draw-7.jsonl", lines("draw"))
    draw, block = counted(records)

    assert (draw["game"], draw["played"]) == ("draw", 1)
    assert (block["game"], block["level"], block["played"], block["won"]) == ("block", "easy", 4, 3)
    assert (block["streak"], block["longest"]) == (2, 2)
    output = run("stats", "--data", str(records.parent)).stdout.splitlines()
    assert output[0].split() == ["game", "level", "played", "won", "streak", "best", "round"]
    assert output[2].split()[:6] == ["Block", "easy", "4", "3", "2", str(block["best_round"])]


def test_the_best_round_is_the_one_that_gained_most(records):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())
    match = read_match(played_alone())
    gains = [deal.after[0] - deal.scores[0] for deal in match.deals]

    assert counted(records)[0]["best_round"] == max(gains)


def test_where_the_lowest_score_wins_the_best_round_is_the_one_that_gained_least(records):
    options = {"set": 9, "mt.rounds": 7}
    put(records, "20260110-200000-000000-mexican-train-alone.jsonl", played_alone("mexican-train", **options))
    match = read_match(played_alone("mexican-train", **options))
    gains = [deal.after[0] - deal.scores[0] for deal in match.deals]

    assert counted(records)[0]["best_round"] == min(gains)


def patience_record(secret, *, moves):
    """Return the record of a game of Patience that was given up after some moves."""
    play = RecordedMatch.of(
        new_match(GAMES["patience"], 1, {"pa.game": "castle-rock"}), Dealer(lambda: secret, "test")
    )
    play, _ = play.deal([Seat("ada")])
    for _ in range(moves):
        play, _ = play.apply(play.match.legal[0])
    return play.apply(GiveUp())[0].lines


def test_of_a_game_for_one_player_the_fewest_tiles_left_are_the_best_result(records):
    for day, moves in ((10, 9), (11, 1)):
        name = f"202601{day}-200000-000000-patience-alone.jsonl"
        put(records, name, patience_record(b"%d" % day, moves=moves))
    left = min(match.scores[0] for match in list_matches(records)[0])

    assert f"{left} tiles left" in run("stats", "--data", str(records.parent)).stdout
    assert f"{left} tiles left" in run("history", "--data", str(records.parent)).stdout
    assert counted(records)[0]["best_round"] == left


def test_a_deal_for_one_player_counts_once_as_it_ended_last(records):
    for day, moves in ((10, 9), (11, 1)):
        put(records, f"202601{day}-200000-000000-patience-alone.jsonl", patience_record(b"same", moves=moves))
    newest = list_matches(records)[0][0]

    (patience,) = counted(records)
    assert (patience["played"], patience["best_round"]) == (1, newest.scores[0])


def test_luck_and_play_are_separated_for_reviewed_matches(records, monkeypatch):
    monkeypatch.setattr(
        "net.host.reviewing.compute_part", lambda part: luck_of(part) if isinstance(part, Deal) else None
    )
    for day, won in ((10, False), (11, True)):  # with the same deals
        put(records, f"202601{day}-200000-000000-block-alone.jsonl", played_alone(won=won))
    assert counted(records)[0]["reviewed"] == 0
    assert "from luck" not in run("stats", "--data", str(records.parent)).stdout

    output = run("review", "last", "--jobs", "1", "--data", str(records.parent)).stdout
    assert output.startswith("You won")
    tally = counted(records)[0]
    match = read_match(played_alone())
    gained = match.match.scores[0] - match.match.scores[1]
    assert tally["reviewed"] == 1
    assert tally["luck"] + tally["play"] == pytest.approx(gained)
    assert "from luck" in run("stats", "--data", str(records.parent)).stdout


def test_a_match_of_several_people_counts_once_the_own_seat_is_noted(records):
    played = lines("draw")
    put(records, "20260115-200000-000000-draw-7.jsonl", played)
    assert counted(records) == []
    winner = read_match(played).match.winners[0]
    for seat, won in ((winner, 1), (1 - winner, 0)):
        keep_seat(records, id_of(played), seat)
        tally = counted(records)[0]
        assert (tally["game"], tally["played"], tally["won"]) == ("draw", 1, won)


def test_a_note_that_an_older_version_kept_is_still_known(records):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())
    (records / NOTES_FILE).write_bytes(msgspec.msgpack.encode({id_of(played_alone()): (1.5, -0.5)}))
    keep_seat(records, id_of(played_alone()), 0)

    assert (counted(records)[0]["luck"], counted(records)[0]["play"]) == (1.5, -0.5)


@pytest.mark.parametrize("damage", [b"", b"\xff", b"\x82\xa7version\x01\xa5files\xc0", None])
def test_without_an_index_or_with_a_damaged_one_all_files_are_read_anew(records, damage):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())
    before = counted(records), listed(records)
    index = records / INDEX_FILE
    assert index.exists()
    index.unlink() if damage is None else index.write_bytes(damage)

    assert (counted(records), listed(records)) == before


def test_a_file_that_has_changed_is_read_anew_and_one_that_is_gone_is_forgotten(records):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())
    put(records, "20260111-200000-000000-block-alone.jsonl", played_alone())
    assert counted(records)[0]["won"] == 2
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone(won=False))
    assert counted(records)[0]["won"] == 1
    (records / "20260111-200000-000000-block-alone.jsonl").unlink()
    assert counted(records)[0]["won"] == 0


def test_where_no_index_can_be_written_all_is_listed_the_same(records):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())
    (records / INDEX_FILE).mkdir()

    assert [row["players"] for row in listed(records)] == [["ada", "Blanche"]]


def test_an_own_solo_record_is_not_called_unsigned(records):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())
    output = run("verify", "last", "--data", str(records.parent)).stdout

    assert "is the record of a match that you played against bots" in output
    assert "the deals are right" in output
    assert len(output.splitlines()) == 1


def test_an_own_solo_record_is_refused_where_a_signature_is_required(records):
    put(records, "20260110-200000-000000-block-alone.jsonl", played_alone())

    assert "is NOT SIGNED" in refused("verify", "last", "--signed", "--data", str(records.parent), code=1)


def test_a_foreign_record_is_called_unsigned_whatever_its_name(records, tmp_path):
    put(tmp_path, "20260110-200000-000000-block-alone.jsonl", played_alone())
    file = str(tmp_path / "20260110-200000-000000-block-alone.jsonl")

    assert run("verify", file, "--data", str(records.parent)).stdout.startswith("NOT SIGNED")


def test_a_listed_name_has_no_control_characters_and_at_most_16_characters(records):
    text = GOOD[0].replace("greedy 1", "\\u001b[2J\\u202e" + "e" * 500)
    end = next(n for n, line in enumerate(GOOD) if line.startswith('{"type":"end"'))
    body = [text, *GOOD[1 : end + 1]]
    put(records, "one.jsonl", [*body, write(seal_of(body))])
    (row,) = listed(records)

    assert row["problem"] == ""
    assert row["players"][0] == ("[2J" + "e" * 500)[:16]


def test_pipes_and_devices_are_not_read(records):
    os.mkfifo(records / "pipe.jsonl")
    (records / "folder.jsonl").mkdir()
    (records / "nowhere.jsonl").symlink_to(records / "none")

    assert all(row["problem"] for row in listed(records))
    assert len(listed(records)) == 3


async def test_kept_matches_are_listed_with_numbers(tmp_path):
    async with solo_player(tmp_path) as ada:
        await ada.play_until(lambda match: any(match.scores))
        score = ada.match.scores[0]

    output = run("continue", "--list", "--data", str(tmp_path)).stdout
    assert output.startswith("  1  ")
    assert f"Draw, round 2, you {score}" in output or f"Draw, round 1, you {score}" in output
    (row,) = json.loads(run("continue", "--json", "--data", str(tmp_path)).stdout)
    assert (row["game"], row["score"], row["problem"]) == ("draw", score, "")


def test_an_unknown_match_is_refused_in_a_sentence(tmp_path):
    place = ("--data", str(tmp_path))

    assert "No unfinished match is kept" in refused("continue", *place, code=1)
    assert "No unfinished match of Draw is kept" in refused("continue", "draw", *place, code=1)
    assert "There is no kept match 3" in refused("continue", "3", *place)
    assert "Did you mean draw" in refused("continue", "drow", *place)


def test_without_kept_matches_their_list_says_so(tmp_path):
    assert "No unfinished match" in run("continue", "--list", "--data", str(tmp_path)).stdout
