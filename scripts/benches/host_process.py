"""A real `boneyard host` in a process of its own, and its CPU time and memory according to the kernel."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]


class HostProcess:
    """A running host: its port, and its resource usage. Linux only: the kernel's figures are in /proc."""

    def __init__(
        self, process: asyncio.subprocess.Process, port: int, log: Path, metrics_url: str, web: int = 0
    ) -> None:
        self.port = port
        self.web = web
        """The port of browsers; 0 if there is none."""
        self.process = process
        self._proc = Path(f"/proc/{process.pid}")
        self._log = log
        self._metrics_url = metrics_url

    @property
    def cpu(self) -> float:
        """CPU seconds of all its threads, and of its gateways."""
        return sum(map(cpu_of, self._processes))

    @property
    def own_cpu(self) -> float:
        """CPU seconds of the host alone, which has the tables."""
        return cpu_of(self._proc)

    @property
    def _processes(self) -> list[Path]:
        children = (self._proc / f"task/{self.process.pid}/children").read_text().split()
        ours = [Path(f"/proc/{child}") for child in children]
        return [
            self._proc,
            *(process for process in ours if b"tui.run.gateway" in (process / "cmdline").read_bytes()),
        ]

    @property
    def waited_seconds(self) -> float:
        """Seconds for which it was ready to run and other programs had its core."""
        return int((self._proc / "schedstat").read_text().split()[1]) / 1e9

    @property
    def mib(self) -> float:
        """Resident memory in MiB, including its gateways."""
        sizes = [re.findall(r"VmRSS:\s+(\d+)", (process / "status").read_text()) for process in self._processes]
        return sum(int(kib) for (kib,) in sizes) / 1024

    def count(self, name: str) -> dict[str, float]:
        """Return the values of a metric by label; needs `--metrics`."""
        with urlopen(self._metrics_url, timeout=30) as answer:
            lines = re.findall(rf'^boneyard_{name}(?:{{\w+="(.*)"}})? (.*)$', answer.read().decode(), re.MULTILINE)
        return {label: float(value) for label, value in lines}

    def stages(self) -> dict[str, dict[float, float]]:
        """Return the number of times up to each bound, in seconds, of each stage, wait or cost; needs `--metrics`."""
        with urlopen(self._metrics_url, timeout=30) as answer:
            lines = re.findall(
                r'^boneyard_(stage|wait|cost)_seconds_bucket{le="(.*)",(?:stage|work)="(.*)"} (.*)$',
                answer.read().decode(),
                re.MULTILINE,
            )
        counts: dict[str, dict[float, float]] = {}
        for measure, bound, kind, count in lines:
            counts.setdefault(f"{measure} {kind}", {})[float(bound)] = float(count)
        return counts

    @property
    def logged_errors(self) -> list[str]:
        """The errors that it logged."""
        return re.findall(r"^.* (?:WARNING|ERROR|CRITICAL) .*$", self._log.read_text(), re.MULTILINE)


def cpu_of(process: Path) -> float:
    """Return the CPU seconds of all threads of a process, by its folder in /proc."""
    return sum(int(thread.read_text().split()[0]) for thread in process.glob("task/*/schedstat")) / 1e9


@asynccontextmanager
async def run_host(core: int | None = None, *words: str, tree: Path = ROOT) -> AsyncIterator[HostProcess]:
    """Run `boneyard host` on a free port with an empty data directory, and on one core if it is given.

    `words` are more of its options; `tree` is its checkout. It is stopped as by Ctrl-C.
    """
    with TemporaryDirectory(prefix="boneyard-bench-") as folder:
        arguments = ["host", "--port", "0", "--bind", "127.0.0.1", "--no-announce", "--data", folder, *words]
        log = Path(folder) / "log"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tui",
            *arguments,
            "--log-file",
            str(log),
            stdout=asyncio.subprocess.PIPE,
            cwd=tree,
            env={**os.environ, "BONEYARD_SETTLES": "0", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(tree)},
        )
        try:
            if core is not None:
                os.sched_setaffinity(process.pid, {core})
            if process.stdout is None:
                raise RuntimeError("The host has no output.")
            metrics_url, web = "", 0
            while line := await process.stdout.readline():
                if served := re.search(rb"Prometheus metrics: (\S+)", line):
                    metrics_url = served[1].decode()
                if link := re.search(rb"http://127.0.0.1:(\d+)/$", line.strip()):
                    web = int(link[1])
                if address := re.search(rb"ssh -p (\d+)", line):
                    break
            else:
                raise RuntimeError(f"The host did not open:\n{log.read_text()}")
            yield HostProcess(process, int(address[1]), log, metrics_url, web)
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGINT)
            await process.wait()
