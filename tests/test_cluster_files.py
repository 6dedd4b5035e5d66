"""The files with which a cluster is run: read, and checked against the options of the command line and each other."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tui.cli.access import parse_access
from tui.cli.host import host
from tui.cli.operate import admin, node_of
from tui.version import VERSION

DOCS = Path(__file__).parents[1] / "docs"
UNITS = [DOCS / name for name in ("boneyard-gateway@.service", "boneyard-tables@.service")]
COMPOSE = yaml.safe_load((DOCS / "cluster/compose.yaml").read_text())
KUBERNETES = list(yaml.safe_load_all((DOCS / "cluster/kubernetes.yaml").read_text()))
VALUES = {"%i": "north", "${BONEYARD_LINES}": "10.0.0.5:2300", "$(POD_NAME)": "tables-0", "$(POD_IP)": "10.1.2.3"}


def node(words):
    """Return the parsed options of a node of a cluster. Raises ClickException if the command line refuses them."""
    assert words[0] == "host"
    for name, value in VALUES.items():
        words = [word.replace(name, value) for word in words]
    given = host.make_context("host", words[1:]).params | {"cluster": "postgresql://db/boneyard"}
    assert given["data"].is_absolute()
    parse_access(SimpleNamespace(**given), ["192.0.2.1"])
    return given, node_of(SimpleNamespace(**given))


def settings(unit):
    return dict(
        line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line and not line.startswith("#")
    )


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_a_node_that_writes_to_its_own_folder(unit):
    words = shlex.split(settings(unit)["ExecStart"])
    assert words[0] == "/opt/boneyard/bin/boneyard"
    given, here = node(words[1:])
    assert here.name == "north"
    assert given["data"] == Path("/var/lib") / settings(unit)["StateDirectory"].replace("%i", "north")
    assert f"boneyard-{'gateway' if given['role'] == 'gateway' else 'tables'}@" in unit.name


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_as_confined_as_that_of_a_standalone_host(unit):
    alone = settings(DOCS / "boneyard.service")
    own = {
        "Description",
        "Environment",
        "EnvironmentFile",
        "ExecStart",
        "RestartSec",
        "TimeoutStopSec",
        "LimitNOFILE",
        "MemoryMax",
    }
    here = settings(unit)
    assert {k: v for k, v in here.items() if k not in {*own, "StateDirectory"}} == {
        k: v for k, v in alone.items() if k not in {*own, "StateDirectory"}
    }


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
@pytest.mark.parametrize("unit", [*UNITS, DOCS / "boneyard.service"], ids=lambda unit: unit.name)
def test_every_line_of_a_unit_is_understood_and_it_exposes_little(unit, tmp_path):
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=25", "--no-pager", unit],
        capture_output=True,
        text=True,
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr
    here = tmp_path / unit.name.replace("@", "@north")
    here.write_text(unit.read_text().replace("/opt/boneyard/bin/boneyard", "/bin/sh"))
    read = subprocess.run(["systemd-analyze", "verify", here], capture_output=True, text=True)
    assert (read.returncode, read.stderr) == (0, "")


# Compose


def test_the_nodes_of_the_compose_file_are_two_of_each_kind_and_find_each_other():
    services = COMPOSE["services"]
    roles = {}
    for name, service in services.items():
        if isinstance(service.get("command"), str):
            given, here = node(shlex.split(service["command"]))
            roles[name] = given["role"]
            assert here.name == name
            assert given["data"] == Path("/nodes") / name
            assert service["volumes"][0]["target"] == str(given["data"])
            assert service["volumes"][0]["volume"]["subpath"] == name
            if given["role"] == "tables":
                assert given["lines"] == f"{name}:2300"
            else:
                (network,) = COMPOSE["networks"]["cluster"]["ipam"]["config"]
                assert given["proxied_by"] == (network["subnet"],)
    assert sorted(roles.values()) == ["gateway", "gateway", "tables", "tables"]
    assert set(services["keys"]["command"][0].split("for node in ")[1].split(";")[0].split()) == set(roles)
    config = (DOCS / "cluster/haproxy.cfg").read_text()
    servers = dict(re.findall(r"^    server (\w+) (\S+)$", config, re.MULTILINE))
    assert servers == {name: f"{name}:2222" for name, role in roles.items() if role == "gateway"}
    assert "send-proxy-v2" in config


def test_the_services_of_the_compose_file_name_existing_things_only():
    services = COMPOSE["services"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= services.keys()
        assert set(service.get("networks", ())) <= COMPOSE["networks"].keys()
        assert {entry["source"] for entry in service.get("configs", ())} <= COMPOSE["configs"].keys()
        named = [entry if isinstance(entry, str) else entry["source"] for entry in service.get("volumes", ())]
        assert {volume.split(":")[0] for volume in named} <= COMPOSE["volumes"].keys()
        build = service.get("build")
        if build:
            assert (DOCS / "cluster" / build["context"]).resolve() == DOCS.parent / "dist", "as a release makes it"
            assert (DOCS / build["dockerfile"]).is_file()
    url = COMPOSE["x-boneyard"]["environment"]["BONEYARD_CLUSTER"]
    assert all(f"{server}:5432" in url for server in ("primary", "standby"))


# Kubernetes


def test_pods_run_nodes_and_are_confined():
    roles = []
    for manifest in KUBERNETES:
        if manifest["kind"] not in ("StatefulSet", "Deployment"):
            continue
        pod = manifest["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        assert container["image"].endswith(f":{VERSION}")
        given, _ = node(container["args"])
        roles.append(given["role"])
        port = int(given["lines"].rpartition(":")[2] or 0) or given["port"]
        assert [exposed["containerPort"] for exposed in container["ports"]] == [port]
        assert str(given["metrics"]) in container["readinessProbe"]["exec"]["command"][2]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        for spec in (*pod["containers"], *pod["initContainers"]):
            assert spec["securityContext"]["readOnlyRootFilesystem"]
            assert spec["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert {mount["name"] for mount in spec["volumeMounts"]} <= {volume["name"] for volume in pod["volumes"]}
        named = {value["name"] for value in container["env"]}
        assert "BONEYARD_CLUSTER" in named
        assert set(re.findall(r"\$\((\w+)\)", " ".join(container["args"]))) <= named
        assert str(given["data"]) in pod["initContainers"][0]["command"][2]
    assert sorted(roles) == ["gateway", "tables"]


def test_services_budgets_and_policies_select_existing_pods():
    labels = [
        manifest["spec"]["template"]["metadata"]["labels"]
        for manifest in KUBERNETES
        if "template" in manifest["spec"]
    ]
    for manifest in KUBERNETES:
        spec = manifest["spec"]
        meant = spec.get("podSelector") or spec["selector"]
        assert meant.get("matchLabels", meant) in labels
        assert manifest["metadata"]["namespace"] == "boneyard"


def test_a_gateways_pre_stop_hook_is_a_valid_command():
    (gateway,) = [manifest for manifest in KUBERNETES if manifest["kind"] == "Deployment"]
    (container,) = gateway["spec"]["template"]["spec"]["containers"]
    words = shlex.split(container["lifecycle"]["preStop"]["exec"]["command"][2].split(";")[0])
    assert words[:2] == ["boneyard", "admin"]
    context = admin.make_context("admin", words[2:])
    assert context.params["data"] == Path("/data/node")
    assert "drain" in admin.commands


# The page


def test_every_command_on_the_page_about_clusters_is_one():
    page = (DOCS / "cluster.md").read_text()
    commands = [
        line.strip() for block in re.findall(r"```\n(.*?)```", page, re.DOTALL) for line in block.splitlines()
    ]
    nodes = [line for line in commands if line.startswith("boneyard host")]
    assert len(nodes) >= 3
    for line in nodes:
        node(shlex.split(line.replace("~", "/home/ada"))[1:])
    for line in commands:
        if match := re.match(r"boneyard admin (?:--data \S+ )?(\w+)", line):
            assert match[1] in admin.commands, line
