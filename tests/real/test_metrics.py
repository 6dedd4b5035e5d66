"""The metrics of a real host."""

import asyncio
import re
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families as parse


def numbers(address):
    with urlopen(address, timeout=10) as answer:
        families = list(parse(answer.read().decode()))
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


async def test_a_host_serves_its_metrics_on_loopback_and_stops_with_them(programs):
    host = await programs.start_host("--metrics", "0")
    address = re.search(r"Prometheus metrics: (http://127\.0\.0\.1:\d+/metrics)", host.said)[1]
    ben = programs.start("join", f"127.0.0.1:{host.port}", "--name", "Ben")
    await ben.wait_for("Ben, in the lobby")
    metrics = await asyncio.to_thread(numbers, address)
    assert metrics["boneyard_sessions", "link"] == 1
    assert metrics["boneyard_sessions", "terminal"] == 0
    assert {name for name, *_ in metrics} >= {
        "boneyard_unauthenticated",
        "boneyard_tables",
        "boneyard_actions_total",
        "boneyard_refusals_total",
        "boneyard_repaint_seconds_count",
        "boneyard_unsent_bytes",
        "boneyard_pending_saves",
    }
    ben.type("q")
    assert await ben.wait_for_exit() == 0
    await host.close_cleanly()
    with pytest.raises(OSError, match="refused"):
        await asyncio.to_thread(numbers, address)
