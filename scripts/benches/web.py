"""Guests with browsers and guests over SSH, in turns: the cost of a key, a move and a session by each door."""

import argparse
import asyncio
import json
import os
import sys
import time
from typing import Any

import aiohttp
from crowd import SEATS, BusyHost, cores
from figures import percentile, show_complaints, title
from guests import BenchGuest
from host_process import run_host

BYTES, MESSAGE = b"\0", b"\1"
SEPARATE_SECONDS = 10.0
"""Seconds of keys alone and of moves alone."""
COLOURS = {"COLORTERM": "truecolor"}
"""The colours of a page's terminal, so that guests over SSH are drawn the same."""


class Browser(BenchGuest):
    """A guest with a page, whose bytes are compressed as browsers request it."""

    async def come(self, port: int, name: str, address: str = "127.0.0.1") -> tuple[float, float]:
        """Open the WebSocket of a page and enter, as `BenchGuest.come` does."""
        self.name = name
        start = time.perf_counter()
        connector = aiohttp.TCPConnector(local_addr=(address, 0))
        self._session = aiohttp.ClientSession(connector=connector)
        origin = f"http://127.0.0.1:{port}"
        self._socket = await self._session.ws_connect(
            f"{origin}/ws", headers={"Origin": origin}, protocols=("boneyard.1",), compress=15, max_msg_size=0
        )
        self._channel = self  # type: ignore[assignment]
        self._connection = self  # type: ignore[assignment]
        await self._socket.receive()
        columns, rows = self._size
        message = {"t": "enter", "columns": columns, "rows": rows, "user": name, "lang": "en"}
        await self._socket.send_bytes(MESSAGE + json.dumps(message).encode())
        self._reading = asyncio.ensure_future(self._read_frames())
        opened = time.perf_counter()
        await self.wait_for_text("BONEYARD")
        painted = time.perf_counter()
        return painted - start, painted - opened

    async def _read_frames(self) -> None:
        async for frame in self._socket:
            if frame.data[:1] == BYTES:
                self.data_received(frame.data[1:], None)
        self.connection_lost(None)

    def write(self, data: bytes) -> None:
        """Send typed bytes."""
        self._sending = asyncio.ensure_future(self._socket.send_bytes(BYTES + data))

    def abort(self) -> None:
        """Hang up."""
        self._reading.cancel()
        self._closing = asyncio.ensure_future(self._session.close())


async def measure_door(web: bool, seconds: float, sessions: int) -> dict[str, float]:
    """Fill a host by one door, and measure; times in ms."""
    own_core, host_core = cores()
    os.sched_setaffinity(0, {own_core})
    words = ["--metrics", "0", *(["--web", "127.0.0.1:0"] if web else [])]
    async with run_host(host_core, *words) as host:

        def make_guest(**options: Any) -> BenchGuest:
            return Browser(**options) if web else BenchGuest(env=COLOURS, **options)

        busy_host = BusyHost(host, make_guest, host.web)
        await busy_host.warm()
        mib_before = host.mib
        await busy_host.fill(sessions)
        figures = {"memory of a session, MiB": (host.mib - mib_before) / sessions}
        await busy_host.act(SEPARATE_SECONDS / 2)
        cpu_before = host.cpu
        log = await busy_host.act(SEPARATE_SECONDS, moves=False)
        figures["CPU of a key, ms"] = (host.cpu - cpu_before) / max(1, len(log.key_delays)) * 1e3
        cpu_before = host.cpu
        log = await busy_host.act(SEPARATE_SECONDS, keys=False)
        figures["CPU of a move on four screens, ms"] = (host.cpu - cpu_before) / max(1, log.moves) * 1e3
        log = await busy_host.act(seconds)
        for share in (0.5, 0.99):
            figures[f"key to first byte: p{share * 100:.0f}, ms"] = percentile(log.key_delays, share) * 1e3
        if busy_host.errors:
            print(f"errors: {busy_host.errors}", file=sys.stderr)
            show_complaints(host.logged_errors)
        busy_host.go()
        return figures


async def main(minutes: float, sessions: int, turns: int) -> None:
    """Measure in turns, and print both doors and their ratio."""
    title(f"web: {sessions} guests by fours at tables, 80×24, a host on one core; {turns} turns of SSH and browsers")
    pairs = [
        (await measure_door(False, minutes * 60, sessions), await measure_door(True, minutes * 60, sessions))
        for _ in range(turns)
    ]
    print(f"\n  {'':38}{'SSH':>9}{'web':>9}{'web ÷ SSH':>11}")
    for name in pairs[0][0]:
        ssh, web = (sorted(turn[door][name] for turn in pairs)[turns // 2] for door in (0, 1))
        print(f"  {name:38}{ssh:9.2f}{web:9.2f}{web / ssh:11.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./scripts/load web", description=__doc__)
    parser.add_argument("--minutes", type=float, default=0.5, help="of keys and moves at once, in each turn")
    parser.add_argument("--sessions", type=int, default=200, help="guests in all, by fours (default 200)")
    parser.add_argument("--turns", type=int, default=1, help="of each door (default 1)")
    chosen = parser.parse_args()
    if chosen.sessions % SEATS:
        parser.error("four guests sit at each table: --sessions must be a multiple of four.")
    asyncio.run(main(chosen.minutes, chosen.sessions, chosen.turns))
