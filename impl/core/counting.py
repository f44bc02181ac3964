"""Numbers with the right form of the noun."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number and its noun: "1 node", "2 nodes", "0 branches"."""
    return f"{number} {one if number == 1 else many or one + 's'}"
