"""Beside the metrics, a balancer or a supervisor is told whether all is well."""

from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry

from net.host.metrics import published
from net.host.metrics_server import serving


def health(address):
    with urlopen(f"{address.removesuffix('/metrics')}/healthz", timeout=10) as answer:
        return answer.status, answer.read().decode()


def test_a_host_is_well_until_it_says_what_is_wrong():
    with published(0) as metrics:
        assert health(metrics.address) == (200, "All is well.\n")
        wrong = []
        metrics.health(lambda: "".join(wrong))
        assert health(metrics.address)[0] == 200
        wrong.append("Nothing can be saved: the disk is full.")
        with pytest.raises(HTTPError) as refused:
            health(metrics.address)
        assert refused.value.code == 503
        assert refused.value.read().decode() == "Nothing can be saved: the disk is full.\n"


def test_the_numbers_are_everywhere_else_and_the_port_is_free_afterwards():
    with serving(0, CollectorRegistry(), lambda: "") as port, urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        assert answer.status == 200
    with serving(port, CollectorRegistry(), lambda: "") as again:
        assert again == port
