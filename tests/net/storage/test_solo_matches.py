"""Saved solo matches: their list, their summaries, and the deletion of the oldest."""

import os
import sqlite3
import stat

import pytest

from core.actions import TakenBack
from net.storage import solo_matches as module
from net.storage.solo_matches import ABANDONED_AFTER, FOLDER, discard, new_path, open_store, purge, resumable_matches
from net.storage.sqlite import DATABASE_FILE
from net.wire.messages import MakeTable
from tests.net.solo import SHORT, solo_player
from tests.waiting import until


async def leave_match(data, wish=SHORT):
    """Play a match until points are made, and leave it; return its directory and the last view of its player."""
    folders_before = set(folders(data))
    async with solo_player(data, wish) as ada:
        await ada.play_until(lambda match: any(match.scores))
        match = ada.match
    (path,) = set(folders(data)) - folders_before
    return path, match


def folders(data):
    return list((data / FOLDER).iterdir()) if (data / FOLDER).exists() else []


def age(path, seconds):
    """Make all files of a match older by `seconds`."""
    for file in (*path.iterdir(), path):
        time = file.stat().st_mtime - seconds
        os.utime(file, (time, time))


def damage(path, statement):
    with sqlite3.connect(path / DATABASE_FILE) as db:
        db.execute(statement)
    db.close()


async def test_a_match_is_listed_with_its_game_its_round_and_the_players_own_score(data):
    path, match = await leave_match(data)
    (saved_match,) = resumable_matches(data)

    assert saved_match.path == path
    assert (saved_match.game, saved_match.round, saved_match.score) == ("draw", match.round, match.scores[0])
    assert saved_match.names[0] == ""
    assert saved_match.names[1]
    assert saved_match.options == match.options
    assert not saved_match.problem


async def test_the_score_of_a_match_without_payments_is_the_initial_one(data):
    async with solo_player(data, MakeTable("stakes", 2, {}, levels=("easy",))) as ada:
        await until(lambda: ada.match)
        scores = ada.match.scores

    assert resumable_matches(data)[0].score == scores[0]


async def test_the_score_is_the_one_before_taking_back(data):
    wish = MakeTable("all-fives", 2, {}, levels=("easy",), take_back=True)
    async with solo_player(data, wish) as ada:
        await until(lambda: ada.match)
        scores_before = ()
        while not scores_before:
            update_before = ada.client.update
            legal = update_before.match.play.legal
            await ada.play_until(lambda match, update_before=update_before: ada.client.update is not update_before)
            update = ada.client.update
            if (
                len(legal) > 1
                and update.match.scores[0] > update_before.match.scores[0]
                and not update.match.play.result
            ):
                scores_before = update_before.match.scores
        ada.client.take_back()
        await until(lambda: any(isinstance(event, TakenBack) for event in ada.client.update.events))
        assert ada.match.scores == scores_before

    assert resumable_matches(data)[0].score == scores_before[0]


async def test_the_match_that_was_played_last_comes_first(data):
    first_path, _ = await leave_match(data)
    second_path, _ = await leave_match(data)
    assert [match.path for match in resumable_matches(data)] == [second_path, first_path]

    age(second_path, 100)
    assert [match.path for match in resumable_matches(data)] == [first_path, second_path]


async def test_saved_matches_are_readable_by_their_user_only(data):
    path, _ = await leave_match(data)

    for file in (data / FOLDER, path, *path.iterdir()):
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tables SET kept = 'x'",
        "UPDATE tables SET kept = '[' || hex(zeroblob(100000)) || ']'",
        "UPDATE tables SET kept = replace(kept, 'draw', 'dawr')",
        'UPDATE lines SET line = \'{"type":"deal"}\' WHERE line LIKE \'{"type":"deal"%\'',
        'UPDATE lines SET line = \'{"type":"score","x":1}\' WHERE line LIKE \'{"type":"score"%\'',
        "UPDATE lines SET line = replace(line, '\"scores\":[', '\"scores\":[],\"x\":[') WHERE line LIKE '%score%'",
        "UPDATE lines SET line = json_set(line, '$.scores', json('[]')) WHERE line LIKE '%score%'",
        "DROP TABLE lines",
    ],
)
async def test_a_match_with_a_damaged_store_is_listed_with_the_problem_and_stays(data, statement):
    path, _ = await leave_match(data)
    damage(path, statement)

    (saved_match,) = resumable_matches(data)
    purge(data)
    assert saved_match.problem
    assert saved_match.problem.isprintable()
    assert len(saved_match.problem) <= 200
    assert path.exists()


async def test_a_store_of_other_bytes_is_listed_and_stays(data):
    path, _ = await leave_match(data)
    (path / DATABASE_FILE).write_bytes(os.urandom(5000))

    assert resumable_matches(data)[0].problem
    purge(data)
    assert path.exists()


def test_an_empty_directory_gives_an_empty_list(data):
    assert resumable_matches(data) == []
    assert resumable_matches(data / "none") == []
    (data / FOLDER).write_text("not a directory")
    assert resumable_matches(data) == []
    purge(data)


def test_a_store_without_a_match_is_not_listed_and_goes(data):
    path = new_path(data)
    open_store(data, path).close()

    assert resumable_matches(data) == []
    purge(data)
    assert folders(data) == []


def test_a_directory_without_a_store_goes_once_no_program_can_be_creating_it(data):
    path = new_path(data)
    path.mkdir(parents=True)
    purge(data)
    assert path.exists()

    age(path, ABANDONED_AFTER + 10)
    purge(data)
    assert not path.exists()


def test_remains_of_an_interrupted_removal_are_deleted(data):
    path = new_path(data)
    open_store(data, path).close()
    path.rename(path.with_name(f".{path.name}"))

    assert resumable_matches(data) == []
    purge(data)
    assert folders(data) == []


async def test_of_too_many_matches_the_least_recently_played_are_deleted(data, monkeypatch):
    monkeypatch.setattr(module, "MAX_MATCHES", 2)
    paths = [(await leave_match(data))[0] for _ in range(2)]
    age(paths[0], 100)
    async with solo_player(data) as ada:  # the running match does not count
        await ada.play_until(lambda match: any(match.scores))
        purge(data)
        assert set(paths) < set(folders(data))

    assert paths[0] not in folders(data)
    assert len(resumable_matches(data)) == 2


def test_of_too_many_records_the_oldest_go_and_no_other_file(data, monkeypatch):
    monkeypatch.setattr(module, "MAX_RECORDS", 2)
    records = data / "records"
    records.mkdir()
    solo_records = [f"2026010{day}-200000-000000-draw-alone.jsonl" for day in (1, 2, 3, 4)]
    other_files = [
        "20250101-200000-000000-draw-7.jsonl",  # a record of a host
        "20250101-200000-000000.jsonl",  # of a match on another host
        "20250101-200000-000000-evidence.jsonl",
        "unresumed-20250101-200000-000000-3.jsonl",
        "mine-alone.jsonl",
    ]
    for name in solo_records + other_files:
        (records / name).write_text("x")
    purge(data)

    assert sorted(path.name for path in records.iterdir()) == sorted(solo_records[2:] + other_files)


def test_discard_removes_the_directory_with_or_without_a_store(data):
    path = new_path(data)
    discard(path)
    open_store(data, path).close()
    discard(path)

    assert folders(data) == []
