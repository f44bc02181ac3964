"""What a claim covers: all states and transitions, those within the bounds, or those until a bound was reached."""


def extent_of(states: int, transitions: int, bounds: str, beyond: int) -> str:
    """What a claim about a whole graph is made of, with its bounds."""
    bounded = f"; {bounds}" if bounds else ""
    over = f"; {beyond:,} transitions lead beyond that bound" if beyond else ""
    return f"{states:,} states and {transitions:,} transitions{bounded}{over}"


def incomplete(stopped: str, explored: int, found: int, transitions: int) -> str:
    """Why nothing can be claimed of a whole graph; nothing if it was explored to its end."""
    if not stopped:
        return ""
    return f"{stopped}: {explored:,} of {found:,} states found were explored, {transitions:,} transitions"


def only_beyond(stuck: int, whole: str) -> str:
    """Why it is unknown whether a promise can always come true; nothing if it can."""
    return f"{stuck:,} states reach it only beyond the bound, if at all; {whole}" if stuck else ""
