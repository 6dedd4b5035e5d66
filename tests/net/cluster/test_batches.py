"""A batch as rows: each table, match and line occurs once, however much has happened."""

from net.cluster.store import NEW, FencingToken, build_rows
from net.table.persistence import Change, Snapshot


def change(number, *lines, name="ada", **options):
    return Change(number, Snapshot(number, name, "", "draw", {}, (), b"", (), True, 0, 0), lines, **options)


def test_changes_of_one_table_are_merged_into_its_latest_row():
    rows = build_rows([change(1, "a", first=4), change(1, "b", first=5, name="eve")], {1: FencingToken(3, 7, 2)})

    (row,) = rows.tables.values()
    assert (row.token, row.snapshot.name, row.match) == (FencingToken(3, 7, 2), "eve", 2)
    assert row.next_token == FencingToken(3, 8, 2)
    assert rows.lines == {(1, 2, 4): "a", (1, 2, 5): "b"}
    assert rows.matches == {}


def test_a_match_that_ends_and_another_that_begins_in_one_batch_are_two():
    changes = [change(1, "end", first=9, ends=True), change(1, "new", begins=True), change(1, "more", first=1)]
    rows = build_rows(changes, {1: FencingToken(1, 1, 1)})

    assert [(row.match, row.begins, row.over) for row in rows.matches.values()] == [
        (1, False, True),
        (2, True, False),
    ]
    assert rows.lines == {(1, 1, 9): "end", (1, 2, 0): "new", (1, 2, 1): "more"}
    assert rows.tables[1].next_token == FencingToken(1, 2, 2)


def test_a_match_that_is_played_in_one_batch_begins_and_is_over():
    rows = build_rows([change(1), change(1, "a", begins=True), change(1, "end", first=1, ends=True)], {})

    (match,) = rows.matches.values()
    assert (match.begins, match.over, match.game) == (True, True, "draw")
    assert rows.tables[1].token == NEW


def test_a_closed_table_has_no_row_any_more_and_its_match_is_over():
    rows = build_rows([change(1, "a", first=1), Change(1, None)], {1: FencingToken(1, 4, 3)})

    assert rows.tables[1].snapshot is None
    assert rows.tables[1].next_token is None
    assert [(row.match, row.over) for row in rows.matches.values()] == [(3, True)]


def test_a_table_that_never_had_a_match_has_none_that_is_over():
    assert build_rows([change(1), Change(1, None)], {}).matches == {}


def test_a_batch_is_written_as_columns_of_its_tables_matches_and_lines():
    columns = build_rows(
        [change(1, "a", begins=True), change(2), Change(3, None)], {2: FencingToken(5, 6, 0)}
    ).columns()

    assert columns[:3] == [[1, 2, 3], [1, 5, 1], [0, 6, 0]]
    assert columns[3][2] is None
    assert columns[4:] == [[1, 0, 0], [1], [1], ["draw"], [True], [False], [1], [1], [0], ["a"]]
