"""A host as a restricted service: under the unit of `docs/`, and without access to the list of addresses."""

import asyncio
import re
import sys
import urllib.request

import pytest

from net.wire.messages import MakeTable
from tests.forked import COMMAND
from tests.real.confined import PRELUDE, netlink_can_be_refused, units_can_be_obeyed
from tests.real.joined import joined
from tests.real.programs import ROOT

UNIT = ROOT / "docs" / "boneyard.service"
REFUSED = (
    "boneyard: The system does not list the addresses of this machine (Address family not supported by protocol); "
    "only those by which it reaches others were used.\n"
)


def confine(programs, how):
    programs.command = [sys.executable, "-c", PRELUDE.format(how=how)]


@pytest.mark.skipif(not netlink_can_be_refused(), reason="seccomp is not to be had here")
@pytest.mark.parametrize("announce", ["--announce", "--no-announce"])
async def test_a_host_starts_where_the_system_refuses_to_list_its_addresses(programs, tmp_path, announce):
    confine(programs, "refuse_netlink()")
    host = await programs.start_host("--bind", "", "--open", announce)

    assert host.log.startswith(REFUSED)
    async with joined(host, tmp_path, "ada") as ada:
        assert ada.name == "ada"
    await host.close_cleanly()
    assert "not-announced" not in host.log


@pytest.mark.skipif(not units_can_be_obeyed(), reason="systemd-analyze or libseccomp is not here")
async def test_a_host_does_its_work_under_the_system_calls_that_the_unit_leaves_it(programs, tmp_path):
    confine(programs, f"obey({str(UNIT)!r})")
    host = await programs.start_host("--bind", "", "--open", "--metrics", "0", "--web", "127.0.0.1:0")

    assert host.log == ""
    async with joined(host, tmp_path, "ada") as ada:
        ada.make_table(MakeTable("draw", 2, {"target": 50}, bots=1))
        await ada.until(lambda client: client.update and client.update.match and client.update.match.play.legal)
    link = re.search(r"http://127\.0\.0\.1:\d+/", host.said)[0]
    for path in ("", "g/draw", "picture/g/draw.png"):
        assert await asyncio.to_thread(lambda path=path: urllib.request.urlopen(link + path).status) == 200
    with urllib.request.urlopen(host.said.split("Prometheus metrics: ")[1].split()[0]) as numbers:  # noqa: ASYNC210
        assert b"process_resident_memory_bytes" in numbers.read()
    status, _, err = await programs.run("admin", "--data", host.data, "status", command=COMMAND)
    assert (status, err) == (0, "")
    await host.close_cleanly()
    assert "bot-worker-lost" not in host.log
