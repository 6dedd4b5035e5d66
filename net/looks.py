"""What a name may be taken for."""


def looks(name: str) -> frozenset[str]:
    """Return what a name may be taken for."""
    return frozenset({name.casefold()})
