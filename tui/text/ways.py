"""How people come to a host."""

PORT = 2222
"""The port of a host that was told no other."""


def ways_to(host: str, port: int) -> tuple[str, ...]:
    """What one types to come to a host with an address, with nothing but ssh and with Boneyard."""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    joined = host if port == PORT and ":" not in host else place
    return f"ssh -p {port} {host}", f"boneyard join {joined}"


def link_to(host: str, port: int) -> str:
    """The same as a link, which apps for ssh open."""
    return f"ssh://[{host}]:{port}" if ":" in host else f"ssh://{host}:{port}"
