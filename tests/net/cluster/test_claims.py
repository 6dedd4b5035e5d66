"""Orphaned tables are taken over once, completely, and by a live node."""

import pytest

from net.cluster.database import ConnectionLostError
from net.cluster.keeper import TAKEOVER_BATCH, OrphanClaims
from net.storage.sqlite import QuarantinedTable


@pytest.fixture
async def orphans(database):
    """Store orphaned tables, each with the lines of two matches."""
    async with database.pooled_connection() as db:
        await db.execute(
            """INSERT INTO tables (number, owner, epoch, sequence, kept, match)
                SELECT n, 0, 3, 5, '{}', 2 FROM generate_series(1, 120) n"""
        )
        await db.execute(
            """INSERT INTO lines SELECT n, m, l, m || ' ' || l
                FROM generate_series(1, 120) n, generate_series(1, 2) m, generate_series(0, 11) l"""
        )
        await db.execute(
            "INSERT INTO matches SELECT n, m, 'draw' FROM generate_series(1, 120) n, generate_series(1, 2) m"
        )


@pytest.mark.usefixtures("orphans")
async def test_a_host_takes_its_share_some_at_a_time_until_none_is_left(database, join_node):
    north = await join_node("north")
    claims, counts = OrphanClaims(database), []
    while taken := await claims.claim(north.id, 1):
        counts.append(len(taken))
    assert counts == [TAKEOVER_BATCH, TAKEOVER_BATCH, 20]


@pytest.mark.usefixtures("orphans")
async def test_hosts_that_claim_by_turns_share_the_tables_out(database, join_node):
    owners = [(await join_node(node)).id for node in ("north", "south", "west", "east")]
    claims = OrphanClaims(database)
    assert [len(await claims.claim(owner, 4)) for owner in owners] == [30, 23, 17, 13]


@pytest.mark.usefixtures("orphans")
async def test_a_table_comes_with_the_lines_of_its_last_match_in_order(database, join_node):
    north = await join_node("north")
    first, *_ = await OrphanClaims(database).claim(north.id, 4)

    assert first.lines == tuple(f"2 {number}" for number in range(12))
    assert (first.number, first.token.epoch, first.token.sequence, first.token.match) == (1, 4, 5, 2)


@pytest.mark.usefixtures("orphans")
async def test_a_claim_whose_answer_is_lost_is_repeated(database, join_node, monkeypatch):
    """Otherwise the tables would belong to this host, and no host would run them."""
    north = await join_node("north")
    claims = OrphanClaims(database)
    async with database.pooled_connection() as db:
        await db.execute("DELETE FROM tables WHERE number > 10")
    taken = await claims.claim(north.id, 1)
    assert len(taken) == 10
    claims._unconfirmed = {claim.number for claim in taken}  # as if the answer had not come

    again = await claims.claim(north.id, 1)
    assert [claim.number for claim in again] == [claim.number for claim in taken]
    assert {claim.token.epoch for claim in again} == {5}
    assert await claims.claim(north.id, 1) == []


@pytest.mark.usefixtures("orphans")
async def test_a_claim_that_fails_leaves_the_tables_to_others(database, join_node, monkeypatch):
    north, south = await join_node("north"), await join_node("south")
    monkeypatch.setattr("net.cluster.keeper._LINES", "SELECT pg_terminate_backend(pg_backend_pid())")
    with pytest.raises(ConnectionLostError):
        await OrphanClaims(database).claim(north.id, 1)
    monkeypatch.undo()
    assert len(await OrphanClaims(database).claim(south.id, 1)) == TAKEOVER_BATCH


@pytest.mark.usefixtures("orphans")
async def test_a_table_that_cannot_be_resumed_has_no_owner_and_its_lines_become_a_record(database, join_node):
    north = await join_node("north")
    claims = OrphanClaims(database)
    taken = await claims.claim(north.id, 4)
    lost = QuarantinedTable(taken[0].number, "the rules say otherwise", ("key A", ""))
    await claims.quarantine(north.id, lost)
    await claims.quarantine(north.id + 1, QuarantinedTable(taken[1].number, "not mine", ()))

    assert await claims.quarantined() == [lost]
    async with database.pooled_connection() as db:
        over = await db.fetch("SELECT match FROM matches WHERE over IS NOT NULL")
        assert [tuple(row) for row in over] == [(2,)]
    while taken := await claims.claim(north.id, 1):
        assert lost.table not in {claim.number for claim in taken}
