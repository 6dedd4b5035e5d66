"""A separate network for a process: a network namespace whose connections can be cut."""

import contextlib
import os
import subprocess

DATABASE = "10.231.255.1"
"""Address of PostgreSQL for these machines, so that its route differs from that of the gateways."""


class NoNamespaces(Exception):  # noqa: N818 - it says what there is not
    """This user, or this system, cannot create network namespaces."""


def ip(*words, inside=""):
    """Run the `ip` command."""
    where = ["ip", "netns", "exec", inside] if inside else []
    try:
        done = subprocess.run([*where, "ip", *words], capture_output=True, text=True)
    except OSError as error:
        raise NoNamespaces(f"There is no command ip: {error}") from error
    if done.returncode:
        raise NoNamespaces(f"ip {' '.join(words)}: {done.stderr.strip()}")


class Machine:
    """A namespace, joined to the rest by a pair of virtual interfaces."""

    def __init__(self, number):
        self.name = f"by{os.getpid()}-{number}"
        self.inside = ["ip", "netns", "exec", self.name]
        self.gateways, self.address = (f"10.231.{number}.{last}" for last in (1, 2))
        self._card = f"by{os.getpid() % 100_000}-{number}"
        ip("netns", "add", self.name)
        try:
            self._join()
        except NoNamespaces:
            self.close()
            raise

    def _join(self):
        ip("link", "add", self._card, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        ip("addr", "add", f"{self.gateways}/30", "dev", self._card)
        ip("link", "set", self._card, "up")
        for words in (
            ("addr", "add", f"{self.address}/30", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("link", "set", "lo", "up"),
            ("route", "add", "default", "via", self.gateways),
        ):
            ip(*words, inside=self.name)

    def cut(self, *, database, on=True):
        """Cut the route to the database, or to the gateways, both ways; or restore it."""
        there, do = DATABASE if database else self.gateways, "add" if on else "del"
        ip("rule", do, "to", there, "blackhole", "pref", "100", inside=self.name)
        ip("rule", do, "from", there, "to", self.address, "blackhole", "pref", "100")
        if on:  # flush cached routes
            ip("route", "flush", "cache", inside=self.name)
            ip("route", "flush", "cache")

    def close(self):
        for there in (DATABASE, self.gateways):
            with contextlib.suppress(NoNamespaces):
                ip("rule", "del", "from", there, "to", self.address, "blackhole", "pref", "100")
        with contextlib.suppress(NoNamespaces):
            ip("link", "del", self._card)
        ip("netns", "del", self.name)


@contextlib.contextmanager
def machines(*numbers):
    """Yield machines for the length of the block. Raises NoNamespaces."""
    with contextlib.ExitStack() as stack:
        ip("addr", "add", f"{DATABASE}/32", "dev", "lo")
        stack.callback(ip, "addr", "del", f"{DATABASE}/32", "dev", "lo")
        made = []
        for number in numbers:
            made.append(Machine(number))
            stack.callback(made[-1].close)
        yield made
