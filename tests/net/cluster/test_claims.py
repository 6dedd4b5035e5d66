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
async def test_a_host_claims_its_share_of_orphans_in_batches(database, join_node):
    north = await join_node("north")
    claims, counts = OrphanClaims(database), []
    while claimed := await claims.claim(north.id, 1):
        counts.append(len(claimed))
    assert counts == [TAKEOVER_BATCH, TAKEOVER_BATCH, 20]


@pytest.mark.usefixtures("orphans")
async def test_hosts_that_claim_by_turns_share_the_tables_out(database, join_node):
    owners = [(await join_node(node)).id for node in ("north", "south", "west", "east")]
    claims = OrphanClaims(database)
    assert [len(await claims.claim(owner, 4)) for owner in owners] == [30, 23, 17, 13]


@pytest.mark.usefixtures("orphans")
async def test_a_table_comes_with_the_lines_of_its_last_match_in_order(database, join_node):
    north = await join_node("north")
    claim, *_ = await OrphanClaims(database).claim(north.id, 4)

    assert claim.lines == tuple(f"2 {number}" for number in range(12))
    assert (claim.number, claim.token.epoch, claim.token.sequence, claim.token.match) == (1, 4, 5, 2)


@pytest.mark.usefixtures("orphans")
async def test_a_claim_whose_answer_is_lost_is_repeated(database, join_node, monkeypatch):
    """Otherwise the tables would belong to this host, and no host would run them."""
    north = await join_node("north")
    claims = OrphanClaims(database)
    async with database.pooled_connection() as db:
        await db.execute("DELETE FROM tables WHERE number > 10")
    lost_claims = await claims.claim(north.id, 1)
    assert len(lost_claims) == 10
    claims._unconfirmed = {claim.number for claim in lost_claims}  # as if the answer had not come

    repeated_claims = await claims.claim(north.id, 1)
    assert [claim.number for claim in repeated_claims] == [claim.number for claim in lost_claims]
    assert {claim.token.epoch for claim in repeated_claims} == {5}
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
    claimed = await claims.claim(north.id, 4)
    quarantined_table = QuarantinedTable(claimed[0].number, "the rules say otherwise", ("key A", ""))
    await claims.quarantine(north.id, quarantined_table)
    await claims.quarantine(north.id + 1, QuarantinedTable(claimed[1].number, "not mine", ()))

    assert await claims.quarantined() == [quarantined_table]
    async with database.pooled_connection() as db:
        finished_matches = await db.fetch("SELECT match FROM matches WHERE over IS NOT NULL")
        assert [tuple(row) for row in finished_matches] == [(2,)]
    while claimed := await claims.claim(north.id, 1):
        assert quarantined_table.table not in {claim.number for claim in claimed}
