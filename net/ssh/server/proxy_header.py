"""The header of the PROXY protocol, versions 1 and 2, in which a proxy says where a connection really comes from.

It reads no socket: the caller asks how many bytes are still to come, and gives them. None is asked for that could
belong to what follows. See https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt, section 2.
"""

import ipaddress

MOST = 2048
"""Bytes of a header, with everything that a proxy may add behind the addresses; they say up to 64 KiB."""
_MARK = b"\r\n\r\n\0\r\nQUIT\n"
"""How version 2 begins."""
_HEAD = 16
"""Bytes of version 2 before the addresses."""
_LINE = 107
"""Bytes of the longest line of version 1, with its end."""
_WORD = b"PROXY "
_END = b"\r\n"
_ADDRESS = {0x11: 4, 0x21: 16}
"""Version 2: the bytes of an address, for TCP over IPv4 and IPv6. A header has two addresses and two ports."""
_NOWHERE = (0x00, 0x31)
"""Version 2: nothing is known, or the proxy's client came over a Unix socket."""


class HeaderError(ValueError):
    """That is no header of the PROXY protocol."""


def missing(data: bytes) -> int:
    """How many more bytes surely belong to the header that begins with `data`; 0 for none. Raises HeaderError."""
    if _is_line(data):
        return _missing_of_line(data)
    if not _MARK.startswith(data[: len(_MARK)]):
        raise HeaderError("it begins like neither version")
    if len(data) < _HEAD:
        return (len(_MARK) if len(data) < len(_MARK) else _HEAD) - len(data)
    whole = _HEAD + int.from_bytes(data[14:16], "big")
    if whole > MOST:
        raise HeaderError(f"it has {whole} bytes")
    return max(0, whole - len(data))


def source(data: bytes) -> str:
    """The address in a complete header; empty where the proxy speaks for itself or knows none. Raises HeaderError."""
    return _of_line(data) if _is_line(data) else _of_block(data)


def _is_line(data: bytes) -> bool:
    return bool(data) and _WORD.startswith(data[: len(_WORD)])


def _missing_of_line(data: bytes) -> int:
    if data.endswith(_END):
        return 0
    if len(data) >= _LINE or _END in data:
        raise HeaderError("its line does not end")
    if len(data) < len(_MARK):
        return len(_MARK) - len(data)  # the shortest line is longer
    return 1 if data.endswith(b"\r") or len(data) == _LINE - 1 else 2


def _of_line(data: bytes) -> str:
    words = data.removesuffix(_END).split(b" ")
    if len(words) > 1 and words[1] == b"UNKNOWN":
        return ""
    versions = {b"TCP4": 4, b"TCP6": 6}
    if len(words) != 6 or words[1] not in versions:
        raise HeaderError("its line does not have four numbers of TCP")
    addresses = [_parsed(word) for word in words[2:4]]
    if any(address.version != versions[words[1]] for address in addresses):
        raise HeaderError("its addresses are of another kind")
    if not all(port.isdigit() and len(port) <= 5 and int(port) < 2**16 for port in words[4:]):
        raise HeaderError("its ports are none")
    return str(addresses[0])


def _parsed(word: bytes) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        text = word.decode("ascii")
        if "%" in text:
            raise ValueError(text)
        return ipaddress.ip_address(text)
    except ValueError:
        raise HeaderError("its addresses are none") from None


def _of_block(data: bytes) -> str:
    if len(data) < _HEAD or data[12] not in (0x20, 0x21):
        raise HeaderError("its version or its command is unknown")
    if data[12] == 0x20 or data[13] in _NOWHERE:  # LOCAL: the proxy itself, to see whether we are there
        return ""
    size = _ADDRESS.get(data[13])
    if size is None or len(data) < _HEAD + 2 * size + 4:
        raise HeaderError("it has no address of TCP")
    return str(ipaddress.ip_address(data[_HEAD : _HEAD + size]))
