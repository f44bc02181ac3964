"""Numbers with the right form of their noun, and suggestions for misspelt names."""

from collections.abc import Iterable

OWN_PROTOCOL = "for one of your own give --protocol package.module:PROTOCOL"
"""The remedy where a protocol has another name than those that are installed."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 step", "2 steps", "1,000 branches"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def nearest(name: str, known: Iterable[str], most: int = 3) -> str:
    """The names that are nearest to an unknown one, of how many: for lists that are too long to be shown."""
    from difflib import get_close_matches

    names = [*known]
    if not names:
        return "there are none"
    return f"the nearest of {len(names):,} are: {', '.join(get_close_matches(name, names, most, 0.0))}"


def listed(beginning: str, names: Iterable[str]) -> str:
    """All names after that beginning of a sentence, such as "it has"; or that it is none."""
    known = ", ".join(names)
    return f"{beginning}: {known}" if known else f"{beginning} none"


def suggestion(name: str, known: Iterable[str]) -> str:
    """A sentence with the known name that is nearest to an unknown one, after a blank; empty if none is near."""
    # Imported here, because only a misspelt name needs it.
    from difflib import get_close_matches

    near = get_close_matches(name, [*known], 1)
    return f" Did you mean {near[0]!r}?" if near else ""
