"""Runs a program as a hardened service would: with a seccomp filter that refuses forbidden system calls."""

import ctypes
import ctypes.util
import platform
import shutil
import socket
import struct
import subprocess
import sys
from errno import EAFNOSUPPORT, EPERM
from functools import cache
from pathlib import Path

_SOCKET = {"x86_64": 41, "aarch64": 198}.get(platform.machine())
_NETLINK = 16
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06

PRELUDE = "import tests.real.confined as c; c.{how}; import tui.cli.main; tui.cli.main.main()"
"""For `python -c`: confines this process, and is `boneyard` from then on."""


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


class _Compared(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("one", ctypes.c_uint64),
        ("other", ctypes.c_uint64),
    ]


def refuse_netlink():
    """Refuse the sockets that list addresses from now on, as RestrictAddressFamilies= does."""
    code = b"".join(
        struct.pack("HBBI", *line)
        for line in [
            (_LOAD, 0, 0, 0),  # the number of the call
            (_EQUAL, 0, 3, _SOCKET),
            (_LOAD, 0, 0, 16),  # its first argument
            (_EQUAL, 0, 1, _NETLINK),
            (_RETURN, 0, 0, _ERRNO | EAFNOSUPPORT),
            (_RETURN, 0, 0, _ALLOW),
        ]
    )
    libc = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(code) // 8, code)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), "no seccomp")


def obey(unit):
    """Restrict this process as a systemd unit would: only the system calls of SystemCallFilter= are allowed.

    What MemoryDenyWriteExecute= and RestrictAddressFamilies= refuse is refused, too.
    """
    settings = [line.strip().partition("=") for line in Path(unit).read_text().splitlines() if "=" in line]
    chosen = {}
    for name, _, value in settings:
        chosen.setdefault(name, []).append(value)
    allowed = set()
    for words in chosen["SystemCallFilter"]:
        calls = set().union(*map(_calls, words.lstrip("~").split()))
        allowed = allowed - calls if words.startswith("~") else allowed | calls
    lib = ctypes.CDLL(ctypes.util.find_library("seccomp"))
    lib.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(lib.seccomp_init(_ERRNO | EPERM))
    for call in sorted(allowed - {"socket", "mmap", "mprotect", "pkey_mprotect"}):
        if (number := lib.seccomp_syscall_resolve_name(call.encode())) >= 0:
            assert lib.seccomp_rule_add_array(context, _ALLOW, number, 0, None) == 0, call

    def allow(call, argument, mask, value):
        number = lib.seccomp_syscall_resolve_name(call.encode())
        compared = _Compared(argument, 7, mask, value)  # 7: equal, after the mask
        assert lib.seccomp_rule_add_array(context, _ALLOW, number, 1, ctypes.byref(compared)) == 0, call

    for family in " ".join(chosen["RestrictAddressFamilies"]).split():
        allow("socket", 0, 0xFFFFFFFF, getattr(socket, family))
    assert chosen["MemoryDenyWriteExecute"] == ["yes"]
    write, execute = 2, 4
    for protection in (0, write, execute):
        allow("mmap", 2, write | execute, protection)
    allow("mprotect", 2, execute, 0)
    assert lib.seccomp_load(context) == 0


@cache
def _calls(name):
    """Return the system calls for which a word of SystemCallFilter= stands."""
    if not name.startswith("@"):
        return frozenset({name})
    listed = subprocess.run(
        ["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True
    ).stdout
    members = [line.strip() for line in listed.splitlines()[1:]]
    return frozenset().union(*(_calls(member) for member in members if member and not member.startswith("#")))


def netlink_can_be_refused():
    """Return True if this machine supports `refuse_netlink`."""
    return _SOCKET is not None and platform.system() == "Linux" and _works("refuse_netlink()")


def units_can_be_obeyed():
    """Return True if this machine supports `obey`."""
    return bool(shutil.which("systemd-analyze") and ctypes.util.find_library("seccomp"))


def _works(how):
    code = f"import tests.real.confined as c; c.{how}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
