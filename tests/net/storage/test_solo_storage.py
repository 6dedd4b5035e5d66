"""A solo match is on disk before its player sees a change, and continues whatever the disk does."""

import shutil
import sqlite3

import pytest
from msgspec.structs import replace

from core.records import referee
from net.storage.permissions import StoreError
from net.storage.solo_matches import FOLDER, resumable_matches
from net.storage.solo_storage import SEED, MatchStorage, NotResumableError
from net.storage.sqlite import DATABASE_FILE, Store
from tests.net.solo import solo_player
from tests.waiting import until


def has_scores(match):
    return any(match.scores)


def is_over(match):
    return match.over


async def test_a_match_that_was_left_goes_on_exactly_where_it_was(data):
    async with solo_player(data) as ada:
        await ada.play_until(has_scores)
        update_before = ada.client.update
    (saved_match,) = resumable_matches(data)

    async with solo_player(data, path=saved_match.path) as ada:
        await until(lambda: ada.match)
        resumed_update = ada.client.update

    assert replace(resumed_update.match, history=()) == replace(update_before.match, history=())
    assert resumed_update.table.seats == update_before.table.seats
    assert (resumed_update.table.options, resumed_update.seat) == (update_before.table.options, update_before.seat)


async def test_changes_that_a_player_has_seen_survive_a_kill(data):
    """Every sent change has been written: another program finds it although the first was killed."""
    async with solo_player(data, says_goodbye=False) as ada:
        await ada.play_until(has_scores)
        sent_lines = len(ada.server.lobby.tables[1].recorded.lines)
        (path,) = (data / FOLDER).iterdir()
        with sqlite3.connect(path / DATABASE_FILE) as db:
            (written_lines,) = db.execute("SELECT COUNT(*) FROM lines").fetchone()
        db.close()
        ada.storage.close(keep=True)

    assert written_lines == sent_lines


async def test_a_finished_match_leaves_only_its_valid_record(data):
    async with solo_player(data) as ada:
        await ada.play_until(is_over)

    (record,) = (data / "records").iterdir()
    assert record.name.endswith("-draw-alone.jsonl")
    assert list(referee(record.read_text().splitlines()))[-1].match.over
    assert not list((data / FOLDER).iterdir())


async def test_a_match_that_is_over_stays_until_its_record_can_be_written(data):
    (data / "records").write_text("in the way")
    async with solo_player(data) as ada:
        await ada.play_until(is_over)
    assert resumable_matches(data) == []
    assert len(list((data / FOLDER).iterdir())) == 1

    (data / "records").unlink()
    async with solo_player(data) as ada:
        await ada.play_until(lambda _: True)
    assert len(list((data / "records").iterdir())) == 1
    assert [match.path for match in resumable_matches(data)] == list((data / FOLDER).iterdir())


async def test_two_matches_played_at_the_same_time_are_separate(data):
    async with solo_player(data) as ada, solo_player(data) as bela:
        await ada.play_until(has_scores)
        await bela.play_until(has_scores)
        assert resumable_matches(data) == [], "nobody is offered a match that is being played"
        (path, _) = (data / FOLDER).iterdir()
        with pytest.raises(NotResumableError, match="in another window"):
            MatchStorage(data, print, path=path).load()

    assert len(resumable_matches(data)) == 2
    assert (ada.problems, bela.problems) == ([], [])


async def test_without_a_place_to_save_the_match_is_played_and_the_player_is_warned_once(data):
    (data / FOLDER).write_text("in the way")
    async with solo_player(data) as ada:
        await ada.play_until(is_over)

    assert ada.problems in (["Not a directory"], ["File exists"])


async def test_changes_refused_by_a_full_disk_are_written_when_there_is_room(data, monkeypatch):
    write = Store.write

    def raise_disk_full(_store, _batch):
        raise StoreError("The disk is full") from sqlite3.OperationalError("database or disk is full")

    async with solo_player(data) as ada:
        await ada.play_until(lambda match: match.play.legal)
        monkeypatch.setattr(Store, "write", raise_disk_full)
        await ada.play_until(has_scores)
        assert ada.storage.problem
        monkeypatch.setattr(Store, "write", write)
        number = ada.client.update.number
        await ada.play_until(lambda _: ada.client.update.number > number + 2)

    assert ada.problems == ["database or disk is full"]
    async with solo_player(data, path=resumable_matches(data)[0].path) as resumed:
        await until(lambda: resumed.match)
        assert resumed.match.scores == ada.match.scores


def test_a_match_that_cannot_be_resumed_is_refused_in_a_sentence_and_left_alone(data):
    path = data / FOLDER / "one"
    with pytest.raises(NotResumableError, match="is over, or was removed"):
        MatchStorage(data, print, path=path).load()

    path.mkdir(parents=True)
    with pytest.raises(NotResumableError, match="is empty"):
        MatchStorage(data, print, path=path).load()

    path.mkdir(exist_ok=True)
    (path / DATABASE_FILE).write_bytes(b"anything at all" * 100)
    with pytest.raises(NotResumableError, match="is damaged"):
        MatchStorage(data, print, path=path).load()
    assert (path / DATABASE_FILE).read_bytes().startswith(b"anything")


@pytest.mark.parametrize("seed", [b"", b"seven", b"\xff\xfe", b"9" * 2000], ids=len)
async def test_a_damaged_seed_is_refused_and_does_no_harm(data, seed):
    async with solo_player(data) as ada:
        await ada.play_until(has_scores)
    (saved_match,) = resumable_matches(data)
    (saved_match.path / SEED).write_bytes(seed)

    with pytest.raises(NotResumableError, match="seed is damaged"):
        MatchStorage(data, print, path=saved_match.path).load()
    assert len(resumable_matches(data)) == 1


async def test_a_directory_that_vanishes_under_a_match_does_not_end_it(data):
    async with solo_player(data) as ada:
        await ada.play_until(has_scores)
        shutil.rmtree(data / FOLDER)
        await ada.play_until(is_over)
