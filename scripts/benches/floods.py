"""Each flood alone against a real host on one core: the delay of two honest guests, and the memory that stays in use.

One guest uses SSH and one a browser. Both press five keys a second, in the form of a new table, before, during and
after the flood. Newcomers try to enter by both doors during the flood. Started as a program, `floods.py
SSH-PORT,WEB-PORT FLOOD SECONDS` is one of the `FLOODS` themselves.
"""

import asyncio
import contextlib
import gc
import os
import resource
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import asyncssh
from attackers import COUNTS, PASTE, dial, drain, enter_in_browser, login, open_terminal, repeat_forever
from figures import percentile, show_complaints
from guests import ENTER, RIGHT, BenchGuest
from host_process import ROOT, HostProcess, run_host
from web import COLOURS, Browser

LETTERS_PER_SECOND = 20_000
"""Letters per second of each paster."""
PAGES_PER_SECOND = 5
"""Pages per second of each comer."""


def _masked_frame(first: int, payload: bytes = b"") -> bytes:
    """Return a frame of a WebSocket, masked with zeros."""
    return bytes((first, 0x80 | len(payload), 0, 0, 0, 0)) + payload


async def _open_websocket(port: int, address: str) -> socket.socket:
    """Open a WebSocket without a library, which would not send a flood."""
    loop, sock = asyncio.get_running_loop(), await dial(port, address)
    await loop.sock_sendall(
        sock,
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Protocol: boneyard.1\r\n\r\n".encode(),
    )
    await loop.sock_recv(sock, 4096)
    return sock


async def flood_frames(port: int, address: str, number: int) -> None:
    """Send pings, pongs or fragments without end, at most 1.6 MB a second."""
    flood = (_masked_frame(0x89) * 3000, _masked_frame(0x8A) * 3000, _masked_frame(0x00) * 3000)[number % 3]
    loop = asyncio.get_running_loop()
    with await _open_websocket(port, address) as sock:
        if number % 3 == 2:
            await loop.sock_sendall(sock, _masked_frame(0x02))
        while True:
            start_time = loop.time()
            await loop.sock_sendall(sock, flood)
            COUNTS["flooding frames"] += 3000
            await asyncio.sleep(max(0.0, len(flood) / 1.6e6 - (loop.time() - start_time)))


async def _type_endlessly(port: int, address: str, number: int, prefix: bytes, letter: str) -> None:
    """Enter by SSH or by a browser, in turns, and type one letter without end."""
    letters, interval = letter.encode() * (LETTERS_PER_SECOND // 10), 0.1
    if number % 2:
        async with enter_in_browser(port, address, f"types{number}") as page:
            reader_task = asyncio.ensure_future(drain(page))
            await page.send_bytes(b"\0" + prefix)
            while not reader_task.done():
                for start in range(0, len(letters), 12_000):
                    await page.send_bytes(b"\0" + letters[start : start + 12_000])
                COUNTS["letters"] += LETTERS_PER_SECOND // 10
                await asyncio.sleep(interval)
        return
    async with await login(port, address, f"types{number}") as connection:
        channel = await open_terminal(connection)
        channel.chan.write(prefix)
        while not channel.ended.is_set():
            await channel.can_write.wait()
            channel.chan.write(letters)
            COUNTS["letters"] += LETTERS_PER_SECOND // 10
            await asyncio.sleep(interval)


async def paste_endlessly(port: int, address: str, number: int) -> None:
    """Begin a paste that never ends."""
    await _type_endlessly(port, address, number, PASTE, "\u65e5")


async def type_letters(port: int, address: str, number: int) -> None:
    """Type letters outside a paste."""
    await _type_endlessly(port, address, number, b"", "a")


async def come_and_go(port: int, address: str, number: int) -> None:
    """Enter by name in a browser, wait for the first picture, and leave."""
    async with enter_in_browser(port, address, f"comes{number}") as page:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                while (frame := await page.receive()).type is aiohttp.WSMsgType.BINARY and frame.data[:1] != b"\0":
                    pass
        COUNTS["came and went"] += 1


async def open_pages(port: int, address: str, number: int) -> None:
    """Open PAGES_PER_SECOND pages, without waiting for earlier ones to leave."""
    tasks: set[asyncio.Task[None]] = set()
    for _ in range(PAGES_PER_SECOND * 10):
        task = asyncio.create_task(_ignore_errors(come_and_go(port, address, number)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.sleep(1 / PAGES_PER_SECOND)
    await asyncio.gather(*tasks)


async def _ignore_errors(attack: Awaitable[None]) -> None:
    with contextlib.suppress(OSError, aiohttp.ClientError):
        await attack


async def keep_connection(port: int, address: str, _number: int) -> None:
    """Request a file every eight seconds, and keep the connection open in between."""
    loop = asyncio.get_running_loop()
    with await dial(port, address) as sock:
        while True:
            await loop.sock_sendall(sock, f"GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            if not await loop.sock_recv(sock, 100_000):
                return
            COUNTS["kept connections"] += 1
            await asyncio.sleep(8)


class StallingClient(asyncssh.SSHClient):
    """Exchanges keys, and then stalls."""

    async def kbdint_auth_requested(self) -> str:
        """Wait forever."""
        COUNTS["stalled logins"] += 1
        await asyncio.Event().wait()
        return ""


async def stall_login(port: int, address: str, number: int) -> None:
    """Begin a login and never end it."""
    await asyncssh.connect(
        sock=await dial(port, address),
        username=f"stalls{number}",
        known_hosts=None,
        config=None,
        client_keys=None,
        agent_path=None,
        client_factory=StallingClient,
        login_timeout=600,
    )


FLOODS: dict[str, tuple[Callable[[int, str, int], Awaitable[None]], int, str, int]] = {
    "ping": (flood_frames, 1, "web", 1),
    "frames": (flood_frames, 20, "web", 1),
    "pastes": (paste_endlessly, 10, "both", 1),
    "letters": (type_letters, 50, "both", 50),
    "comers": (open_pages, 10, "web", 1),
    "keepers": (keep_connection, 110, "web", 1),
    "stallers": (stall_login, 110, "ssh", 1),
}
"""By name: the coroutine, the number of attackers, their door, and how many of them share an address."""


async def flood(ports: tuple[int, int], kind: str, seconds: float) -> None:
    """Run one flood for some seconds."""
    attack, count, door, attackers_per_address = FLOODS[kind]
    tasks = []
    for number in range(count):
        port = ports[door == "web" or (door == "both" and number % 2)]
        address = f"127.0.{100 + number // attackers_per_address // 250}.{number // attackers_per_address % 250 + 1}"
        tasks.append(asyncio.create_task(repeat_forever(attack, port, address, number)))
    await asyncio.sleep(seconds)
    os._exit(0)  # closing hundreds of connections one by one takes seconds


LEFT = b"\x1b[D"
PRESS_INTERVAL = 0.2
"""Seconds between two keys of one guest. With eight a second they would be busy, and busy sessions wait for others.
"""
_WARM_UP_SECONDS = 3.0
"""Seconds of a flood before its figures count: the first burst of every address is let through."""
_NEWCOMER_TIMEOUT = 10.0
"""Seconds for a newcomer to enter."""


async def start_attackers(program: str, ports: str, kinds: list[str], seconds: float) -> asyncio.subprocess.Process:
    """Start `attackers.py` or this program, in a process of its own on this core with a lower priority than ours."""
    return await asyncio.create_subprocess_exec(
        "nice",
        "-n",
        "19",
        sys.executable,
        str(Path(__file__).with_name(program)),
        ports,
        *kinds,
        f"{seconds:g}",
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


class KeyDelays:
    """Seconds from each key of the honest guests to the first byte of its repaint, by door."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {"ssh": [], "web": []}

    def of(self, share: float) -> float:
        """Return the percentile `share` of all doors, in milliseconds."""
        return percentile([*self.seconds["ssh"], *self.seconds["web"]], share) * 1e3


async def _press_keys(
    guest: BenchGuest, seconds: list[float], lost_doors: list[str], stop: asyncio.Event, door: str
) -> None:
    while not stop.is_set() and not guest.lost:
        try:
            seconds.append(await guest.press(LEFT if len(seconds) % 2 else RIGHT))
        except TimeoutError:
            seconds.append(5.0)
        await asyncio.sleep(PRESS_INTERVAL)
    if guest.lost:
        lost_doors.append(door)


async def _measure_keys(guests: dict[str, BenchGuest], seconds: float, lost_doors: list[str]) -> KeyDelays:
    key_delays, stop = KeyDelays(), asyncio.Event()
    tasks = [
        asyncio.create_task(_press_keys(guest, key_delays.seconds[door], lost_doors, stop, door))
        for door, guest in guests.items()
    ]
    await asyncio.sleep(seconds)
    stop.set()
    await asyncio.gather(*tasks)
    return key_delays


async def _count_newcomers(host: HostProcess, newcomers: int) -> int:
    """Enter from new addresses, by both doors in turns; return how many of `newcomers` entered.

    Each newcomer retries every second, as people do, for `_NEWCOMER_TIMEOUT`.
    """
    entered_count = 0
    for number in range(newcomers):
        port = host.web if number % 2 else host.port
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_NEWCOMER_TIMEOUT):
                while not await _enter_once(Browser() if number % 2 else BenchGuest(env=COLOURS), port, number):  # noqa: ASYNC110 - a person retries
                    await asyncio.sleep(1)
                entered_count += 1
    return entered_count


async def _enter_once(guest: BenchGuest, port: int, number: int) -> bool:
    try:
        await guest.come(port, f"new{number}", f"127.0.200.{number + 1}")
    except (OSError, TimeoutError, asyncssh.Error, aiohttp.ClientError):
        return False
    finally:
        with contextlib.suppress(AttributeError):
            guest.go()
    return True


async def _measure_flood(
    kind: str, seconds: float, rest_seconds: float, core: int, tree: Path
) -> tuple[str, list[str]]:
    """Return the row of one flood, and the warnings in the host's log."""
    async with run_host(core, "--web", "127.0.0.1:0", tree=tree) as host:
        guests: dict[str, BenchGuest] = {"ssh": BenchGuest(env=COLOURS), "web": Browser()}
        for number, (door, guest) in enumerate(guests.items()):
            await guest.come(host.web if door == "web" else host.port, f"honest{number}", f"127.0.0.{number + 2}")
            await guest.press_until(ENTER, "lobby")
            await guest.press_until(b"n", "a new table")
        lost_doors: list[str] = []
        idle_delays = await _measure_keys(guests, 5.0, lost_doors)
        mib_before = host.mib
        attackers = await start_attackers("floods.py", f"{host.port},{host.web}", [kind], seconds + _WARM_UP_SECONDS)
        await _measure_keys(guests, _WARM_UP_SECONDS, lost_doors)
        newcomers = 6
        newcomers_task = asyncio.create_task(_count_newcomers(host, newcomers))
        flood_delays = await _measure_keys(guests, seconds, lost_doors)
        peak_mib = host.mib
        entered_count = await newcomers_task
        await attackers.wait()
        rest_delays = await _measure_keys(guests, rest_seconds, lost_doors)
        row = (
            f"  {kind:11}{idle_delays.of(0.5):6.1f}{idle_delays.of(0.99):7.1f}"
            f"{flood_delays.of(0.5):8.1f}{flood_delays.of(0.99):8.1f}{flood_delays.of(1.0):8.0f}"
            f"{flood_delays.of(0.99) / idle_delays.of(0.99):7.1f} ×{rest_delays.of(1.0):8.0f}"
            f"{mib_before:8.0f}{peak_mib:7.0f}{host.mib:7.0f}{host.mib / mib_before:6.2f} ×"
            f"{entered_count:5}/{newcomers}{len(lost_doors):6}"
        )
        for guest in guests.values():
            guest.go()
        return row, host.logged_errors


async def table(kinds: list[str], seconds: float, rest_seconds: float, tree: Path = ROOT) -> None:
    """Print a row for each flood. `rest_seconds` follow it; `tree` is the checkout of the host."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[0]})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    gc.disable()  # else this process would stop for 50 ms now and then
    print(
        f"\nfloods of {seconds:.0f} s, then {rest_seconds:.0f} s of rest; two honest guests; "
        "key to first byte in ms, MiB\n"
    )
    print(
        f"  {'flood':11}{'idle p50':>6}{'p99':>5}{'p50':>8}{'p99':>8}{'max':>8}{'p99÷idle':>9}{'after':>8}"
        f"{'before':>8}{'peak':>7}{'rest':>7}{'÷':>8}{'entered in':>8}{'lost':>6}"
    )
    for kind in kinds:
        row, logged_errors = await _measure_flood(kind, seconds, rest_seconds, cores[-1], tree)
        print(row, flush=True)
        show_complaints(logged_errors)


if __name__ == "__main__":
    _, port_list, flood_name, duration = sys.argv
    ssh_port, web_port = map(int, port_list.split(","))
    asyncio.run(flood((ssh_port, web_port), flood_name, float(duration)))
