"""A suite for every store, SQLite and PostgreSQL: written data can be read, and a finished match is published."""

import asyncio
import os
from collections import Counter
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from net.cluster.database import Database
from net.cluster.keeper import OrphanClaims
from net.cluster.membership import Membership
from net.cluster.store import ClusterStore, build_rows
from net.players.accounts import BanLifted, Banned, NameAssigned, Notice
from net.storage.sqlite import Store
from net.table.persistence import Batch, Change, SeatSnapshot, Snapshot
from tests.databases import reusable_database

END = '{"type":"end","scores":[0,0]}'
EXAMPLES = int(os.environ.get("BONEYARD_STORES", "25"))
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)


class SqliteStore:
    """The store of one host. `write` with `is_repeated` writes a batch twice, as after a lost answer."""

    def __init__(self, _server, resources):
        self._data = Path(resources.enter_context(TemporaryDirectory()))
        self._store = Store(self._data)
        resources.callback(lambda: self._store.close())  # noqa: PLW0108 - it is another one after `reload`

    def write(self, batch, is_repeated):
        for _ in range(1 + is_repeated):
            self._store.write(batch)

    def reload(self):
        self._store.close()
        self._store = Store(self._data)

    def tables(self):
        loaded = self._store.load()
        assert not loaded.unreadable
        return {snapshot.id: (snapshot, lines) for snapshot, lines in loaded.tables}

    def people(self):
        return set(self._store.load().account_entries)

    def records(self):
        files = (self._data / "records").glob("*.jsonl")
        return Counter((int(file.stem.rpartition("-")[2]), file.read_bytes().decode()) for file in files)


class PostgresStore:
    """The store of a table host; after `reload` it is another node, which claims the tables of its predecessor."""

    def __init__(self, server, resources):
        self._run = resources.enter_context(asyncio.Runner()).run
        databases = reusable_database(server)
        url = next(databases)
        resources.callback(lambda: next(databases, None))
        self._database = self._run(Database(url).__aenter__())
        resources.callback(lambda: self._run(self._database.__aexit__()))
        self._lives = count(1)
        self._begin()
        resources.callback(lambda: self._run(self._end()))

    def _begin(self):
        node = f"life {next(self._lives)}"
        self._me = Membership(self._database, node, role="tables", address="x", software="", tables=lambda: 0)
        self._run(self._me.join())
        self._store = ClusterStore(self._database, lambda: self._me.id, pytest.fail)

    async def _end(self):
        await self._store.aclose()
        await self._me.leave()

    def write(self, batch, is_repeated):
        async def write():
            if is_repeated:  # the answer to the first try is lost
                await self._store._write_once(
                    build_rows(batch.tables, self._store.tokens), batch.account_entries, self._me.id
                )
            assert await self._store.write(batch) == set()

        self._run(write())

    def reload(self):
        self._run(self._end())
        self._begin()
        claims, claimed = OrphanClaims(self._database), []
        while new_claims := self._run(claims.claim(self._me.id, 1)):
            claimed += new_claims
        for claim in claimed:
            self._store.take(claim.number, claim.token)

    def tables(self):
        kept = dict(self._ask("SELECT number, kept FROM tables WHERE unresumed = ''"))
        lines = {number: [] for number in kept}
        rows = self._ask(
            """SELECT tables.number, line FROM tables
                JOIN lines ON "table" = tables.number AND lines.match = tables.match
                ORDER BY tables.number, lines.number"""
        )
        for number, line in rows:
            lines[number].append(line)
        return {number: (msgspec.json.decode(text, type=Snapshot), lines[number]) for number, text in kept.items()}

    def people(self):
        names = {NameAssigned(*row) for row in self._ask("SELECT token, name FROM names")}
        notices = {Notice(*row) for row in self._ask("SELECT text FROM notice")}
        return names | notices | {Banned(*row) for row in self._ask("SELECT who, why, since FROM bans")}

    def records(self):
        rows = self._ask(
            """SELECT "table", string_agg(line || E'\\n', '' ORDER BY number)
                FROM matches JOIN lines USING ("table", match)
                WHERE over IS NOT NULL GROUP BY "table", match"""
        )
        return Counter((number, text) for number, text in rows)

    def _ask(self, query):
        async def ask():
            async with self._database.pooled_connection() as db:
                return [tuple(row) for row in await db.fetch(query)]

        return self._run(ask())


class Stores(RuleBasedStateMachine):
    """The changes that a host may write to its store, and the data that must be there after each."""

    kind = None
    server = None

    def __init__(self):
        super().__init__()
        self.resources = ExitStack()
        self.store = self.kind(self.server, self.resources)
        self.numbers = count(1)
        self.tables = {}
        """By number, its snapshot and the lines of its last match."""
        self.playing = set()
        """Numbers of the tables with a match that is not over."""
        self.past_matches = []
        """Matches, as (table, lines), after which another began, or whose table is closed."""
        self.names, self.banned, self.notices = {}, {}, set()
        self.batch = Batch()

    def teardown(self):
        self.resources.close()

    def record_change(self, number, text, lines=(), *, begins=False, ends=False):
        lines_before = [] if begins else self.tables[number][1]
        seats = (SeatSnapshot(text, "key A"), SeatSnapshot(bot="greedy"))
        snapshot = Snapshot(
            number, text, "key A", "draw", {"target": 50}, seats, b"\0\xff", (), True, 7, len(lines_before)
        )
        self.tables[number] = snapshot, [*lines_before, *lines]
        self.batch.tables.append(Change(number, snapshot, tuple(lines), begins, ends, len(lines_before)))

    def archive_match(self, number):
        """Move the last match of a table to the past ones."""
        if lines := self.tables[number][1]:
            self.past_matches.append((number, lines))
        self.playing.discard(number)

    @rule(text=texts)
    def open_table(self, text):
        number = next(self.numbers)
        self.tables[number] = None, []
        self.record_change(number, text)

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), text=texts, lines=st.lists(texts, min_size=1, max_size=4))
    def begin_match(self, data, text, lines):
        number = data.draw(st.sampled_from(sorted(self.tables)))
        self.archive_match(number)
        self.record_change(number, text, lines, begins=True)
        self.playing.add(number)

    @precondition(lambda self: self.playing)
    @rule(data=st.data(), text=texts, lines=st.lists(texts, max_size=4))
    def play(self, data, text, lines):
        self.record_change(data.draw(st.sampled_from(sorted(self.playing))), text, lines)

    @precondition(lambda self: self.playing)
    @rule(data=st.data(), text=texts)
    def end_match(self, data, text):
        number = data.draw(st.sampled_from(sorted(self.playing)))
        self.playing.remove(number)
        self.record_change(number, text, [END], ends=True)

    @precondition(lambda self: self.over)
    @rule(data=st.data(), text=texts)
    def sign_as_witness(self, data, text):
        self.record_change(data.draw(st.sampled_from(self.over)), text, [text], ends=True)

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def close_table(self, data):
        number = data.draw(st.sampled_from(sorted(self.tables)))
        self.archive_match(number)
        del self.tables[number]
        self.batch.tables.append(Change(number, None))

    @rule(token=st.sampled_from("ABC"), name=texts.filter(bool))
    def give_name(self, token, name):
        self.names[token] = name
        self.batch.account_entries.append(NameAssigned(token, name))

    @rule(who=st.sampled_from("XY"), why=texts)
    def ban(self, who, why):
        self.banned[who] = why
        self.batch.account_entries.append(Banned(who, why, "2026-11-20"))

    @rule(who=st.sampled_from("XY"))
    def pardon(self, who):
        self.banned.pop(who, None)
        self.batch.account_entries.append(BanLifted(who))

    @rule(text=texts)
    def set_notice(self, text):
        self.notices = {Notice(text)} if text else set()
        self.batch.account_entries.append(Notice(text))

    @rule(is_repeated=st.booleans(), restarts=st.booleans())
    def save_batch(self, is_repeated, restarts):
        batch, self.batch = self.batch, Batch()
        if batch:
            self.store.write(batch, is_repeated)
        if restarts:
            self.store.reload()
        self.compare()

    @property
    def over(self):
        """Return the tables with a finished match."""
        return sorted(number for number, (_, lines) in self.tables.items() if lines and number not in self.playing)

    def compare(self):
        assert self.store.tables() == self.tables
        people = {NameAssigned(*item) for item in self.names.items()}
        bans = {Banned(who, why, "2026-11-20") for who, why in self.banned.items()}
        assert self.store.people() == people | bans | self.notices
        records = [*self.past_matches, *((number, self.tables[number][1]) for number in self.over)]
        assert self.store.records() == Counter(
            (number, "".join(f"{line}\n" for line in lines)) for number, lines in records
        )


def run(store_kind, store_server):
    class Machine(Stores):
        kind = store_kind
        server = store_server

    run_state_machine_as_test(
        Machine, settings=settings(max_examples=EXAMPLES, stateful_step_count=30, deadline=None)
    )


def test_sqlite_returns_what_was_stored():
    run(SqliteStore, None)


def test_postgresql_returns_what_was_stored(template):
    run(PostgresStore, template)
