"""Beside the metrics, a load balancer or a supervisor can ask for the health of the host."""

import asyncio
import threading
from contextlib import asynccontextmanager
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry

from net.host.metrics import PrometheusMetrics, publish_metrics
from net.host.metrics_server import serve_metrics
from net.hosting.parts import Host, run
from net.options import HostOptions
from net.table.table import Pace


def fetch(address):
    with urlopen(address, timeout=10) as answer:
        return answer.read().decode()


def health(address):
    return fetch(f"{address.removesuffix('/metrics')}/healthz")


def test_a_host_is_healthy_until_it_reports_a_problem():
    with publish_metrics(0) as metrics:
        assert health(metrics.address) == "All is well.\n"
        problems = []
        metrics.set_health_check(lambda: "".join(problems))
        assert health(metrics.address) == "All is well.\n"
        problems.append("Nothing can be saved: the disk is full.")
        with pytest.raises(HTTPError) as error:
            health(metrics.address)
        assert error.value.code == 503
        assert error.value.read().decode() == "Nothing can be saved: the disk is full.\n"


async def test_metrics_are_collected_on_the_thread_of_the_event_loop():
    threads = []

    def count():
        threads.append(threading.get_ident())
        return len(threads)

    with publish_metrics(0) as metrics:
        metrics.set_sources(tables=count)
        metrics.set_health_check(lambda: "" if count() else "never")
        assert await asyncio.to_thread(health, metrics.address) == "All is well.\n"
        assert "boneyard_tables 3.0" in await asyncio.to_thread(fetch, metrics.address)
    assert set(threads) == {threading.get_ident()}


async def test_a_hanging_host_is_unhealthy_and_serves_its_last_metrics(monkeypatch):
    monkeypatch.setattr("net.host.metrics_server.LOOP_TIMEOUT", 0.01)
    with publish_metrics(0) as metrics:
        metrics.set_sources(tables=lambda: 7)
        with pytest.raises(HTTPError) as error:
            health(metrics.address)  # in the thread of the loop, which does nothing else meanwhile
        assert error.value.code == 503
        assert error.value.read().decode() == "The host has done nothing for 0.01 seconds.\n"
        assert "boneyard_tables 0.0" in fetch(metrics.address)


async def test_a_failure_while_collecting_is_no_answer():
    with publish_metrics(0) as metrics:
        metrics.set_sources(tables=lambda: 1 // 0)
        with pytest.raises(HTTPError, match="500"):
            await asyncio.to_thread(health, metrics.address)


def test_metrics_are_served_and_the_port_is_free_afterwards():
    with (
        serve_metrics(0, CollectorRegistry(), lambda: "") as port,
        urlopen(f"http://127.0.0.1:{port}/metrics") as answer,
    ):
        assert answer.status == 200
    with serve_metrics(port, CollectorRegistry(), lambda: "") as reused_port:
        assert reused_port == port


async def test_a_host_is_healthy_once_all_its_parts_have_started(tmp_path):
    problems = []
    host = Host(HostOptions(data=tmp_path, software="test", pace=Pace()), problems.append, None, None)
    host.metrics, host.stop = PrometheusMetrics(), asyncio.Event()

    @asynccontextmanager
    async def finish_start(host):
        host.watch_health()
        problems.append(host.metrics.refresh())
        asyncio.get_running_loop().call_soon(lambda: (problems.append(host.metrics.refresh()), host.stop.set()))
        yield

    await run(host, (finish_start,))
    assert problems[:2] == ["The host is starting.", ""]
