"""Numbers with the right form of what they count."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 step", "2 steps", "1,000 branches"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
