"""The options of `boneyard host` by which it is one node of a cluster."""

import socket
from importlib.util import find_spec

import click

from net.hosting.options import NodeOptions
from tui.cli.arguments import together
from tui.failures import BadUse, Failed

MISSING = "A cluster needs the package asyncpg; install it with: pip install asyncpg"
VARIABLE = "BONEYARD_CLUSTER"
"""Names the database without showing its password to every user of the machine, as an option would."""
ROLES = ("gateway", "tables", "both")

with_cluster_options = together(
    click.option(
        "--cluster",
        default="",
        envvar=VARIABLE,
        metavar="URL",
        help=f"Be one node of a cluster with this PostgreSQL database; also in the variable {VARIABLE}.",
    ),
    click.option("--role", type=click.Choice(ROLES), help="What this node of a cluster does."),
    click.option("--node", default="", metavar="NAME", help="Name of this node.  [default: that of the machine]"),
    click.option("--lines", default="", metavar="ADDRESS:PORT", help="Where gateways reach the tables of this node."),
)


def node_of(cluster: str, role: str | None, node: str, lines: str) -> NodeOptions | None:
    """The node of a cluster that was typed; None for a host that is alone."""
    if not role:
        if cluster:
            raise BadUse(f"Say with --role what this node of the cluster does, or unset {VARIABLE}.")
        if node or lines:
            raise BadUse("--node and --lines are for a node of a cluster; give --cluster and --role as well.")
        return None
    if not cluster:
        raise BadUse(f"Give --cluster URL, or set {VARIABLE}, to say which database the cluster has.")
    need_asyncpg()
    name = node or socket.gethostname().partition(".")[0]
    if role == "gateway":
        if lines:
            raise BadUse("A gateway has no tables, and so no --lines.")
        return NodeOptions(cluster, name)
    return NodeOptions(cluster, name, *_address(lines))


def need_asyncpg() -> None:
    """Raise Failed, with a sentence, where a cluster's database cannot be spoken to."""
    if find_spec("asyncpg") is None:
        raise Failed(MISSING)


def _address(lines: str) -> tuple[str, int]:
    address, colon, port = lines.rpartition(":")
    if not address or not colon or not port.isdecimal() or int(port) > 65535:
        raise BadUse("A node with tables needs --lines ADDRESS:PORT, where gateways reach it, like 10.0.0.5:2300.")
    return address.strip("[]"), int(port)
