"""Extent of a claim: all states and transitions, those within the bounds, or those until a bound was reached."""

from gomboc.checker.core.phrases import counted


def extent_of(states: int, transitions: int, bounds: str, beyond: int) -> str:
    """The states, transitions and bounds that a claim about a whole graph rests on."""
    bounded = f"; {bounds}" if bounds else ""
    over = f"; {leading(beyond)} beyond that bound" if beyond else ""
    return f"{counted(states, 'state')} and {counted(transitions, 'transition')}{bounded}{over}"


def incomplete(stopped: str, explored: int, discovered: int, transitions: int) -> str:
    """Why no claim can be made about a whole graph; empty if it was explored to its end."""
    if not stopped:
        return ""
    so_far = counted(transitions, "transition")
    return f"{stopped}: {explored:,} of {counted(discovered, 'state')} found were explored, {so_far}"


def only_beyond(stuck: int, whole: str) -> str:
    """Why it is unknown whether a promise can always come true; empty if it can."""
    return (
        f"{counted(stuck, 'state')} {'reaches' if stuck == 1 else 'reach'} it only beyond the bound, if at all; {whole}"
        if stuck
        else ""
    )


def leading(transitions: int) -> str:
    """The number of transitions with its verb, as the beginning of a clause."""
    return f"{counted(transitions, 'transition')} {'leads' if transitions == 1 else 'lead'}"
