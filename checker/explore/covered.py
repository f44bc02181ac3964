"""What a claim covers: all states and transitions, those within the bounds, or those until a bound was reached."""

from gomboc.checker.words import counted


def extent_of(states: int, transitions: int, bounds: str, beyond: int) -> str:
    """What a claim about a whole graph is made of, with its bounds."""
    bounded = f"; {bounds}" if bounds else ""
    over = f"; {leading(beyond)} beyond that bound" if beyond else ""
    return f"{counted(states, 'state')} and {counted(transitions, 'transition')}{bounded}{over}"


def incomplete(stopped: str, explored: int, discovered: int, transitions: int) -> str:
    """Why nothing can be claimed of a whole graph; nothing if it was explored to its end."""
    if not stopped:
        return ""
    so_far = counted(transitions, "transition")
    return f"{stopped}: {explored:,} of {counted(discovered, 'state')} found were explored, {so_far}"


def only_beyond(stuck: int, whole: str) -> str:
    """Why it is unknown whether a promise can always come true; nothing if it can."""
    return (
        f"{counted(stuck, 'state')} {'reaches' if stuck == 1 else 'reach'} it only beyond the bound, if at all; {whole}"
        if stuck
        else ""
    )


def leading(transitions: int) -> str:
    """So many transitions, as the subject of where they lead."""
    return f"{counted(transitions, 'transition')} {'leads' if transitions == 1 else 'lead'}"
