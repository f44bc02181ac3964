"""A failure detector as pure functions: missed heartbeats, hysteresis, and a limit on how often it changes its mind.

Time is an argument, in periods. Anything that arrives from a node is a heartbeat of it. A detector is *complete*: a
node that is silent for ever is suspected as long as it is watched, from the first look after `bound(timing)` on. It is
*eventually accurate*: its patience with a node grows with each false suspicion. If no silence of a live node is longer
than D, and D is at most `most`, the node is suspected `mistakes(timing, D)` times at most while it is watched. If D is
at most `patience`, it never is: then the detector is perfect, as some protocols need one. Always it changes its mind
once in `rest` periods.
"""

from math import ceil, inf

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.core.errors import UsageError


class Timing(Struct, frozen=True):
    """The times of a detector, in periods.

    A node is suspected after a silence of more than `patience`, which grows by `growth` with each false suspicion, up
    to `most`. It is trusted again after `returns` heartbeats, and no sooner than `rest` after it was suspected, and the
    other way round. It is watched as long as something was sent to it within `lasting`, suspected or not.
    """

    patience: float = 4.0
    growth: float = 2.0
    most: float = 32.0
    returns: int = 2
    rest: float = 2.0
    lasting: float = 256.0

    def __post_init__(self) -> None:
        """Refuse times without sense with `UsageError`."""
        if not 0 < self.patience <= self.most < inf:
            raise UsageError(f"A patience is above 0, and at most {self.most}: {self.patience} is not.")
        if not (self.growth >= 0 and self.rest >= 0 and self.lasting > 0 and self.returns >= 1):
            raise UsageError("Growth and rest are 0 or more, lasting is above 0, and returns are at least one.")


class Watched(Struct, frozen=True):
    """What a detector knows of one node.

    It was last `heard` at that time, and `again` so many times since it was suspected. `changed` is the time of the
    last change of mind.
    """

    heard: float
    patience: float
    is_suspected: bool = False
    again: int = 0
    changed: float = -inf


def begin(timing: Timing, now: float) -> Watched:
    """A node is watched from now on."""
    return Watched(now, timing.patience)


def heard(watched: Watched, now: float) -> Watched:
    """Something has arrived from the node."""
    return replace(watched, heard=max(now, watched.heard), again=watched.again + 1)


def missing(watched: Watched, now: float) -> Watched:
    """The transport has found that there is no node of this name: no silence need be waited for."""
    return replace(watched, heard=min(watched.heard, now - watched.patience), again=0)


def looked(timing: Timing, watched: Watched, now: float) -> Watched:
    """The verdict at this time; it is the only thing that changes here, with what follows from a change."""
    is_silent = now - watched.heard >= watched.patience
    if now - watched.changed < timing.rest or is_silent == watched.is_suspected:
        return watched
    if is_silent:
        return replace(watched, is_suspected=True, again=0, changed=now)
    if watched.again < timing.returns:
        return watched
    patience = min(timing.most, watched.patience + timing.growth)
    return replace(watched, is_suspected=False, again=0, changed=now, patience=patience)


def bound(timing: Timing) -> float:
    """Periods of silence after which the next look finds a crashed node suspected, whatever was before."""
    return timing.most + timing.rest


def mistakes(timing: Timing, longest: float) -> int:
    """How often a live node is suspected at most, if every silence of it is shorter than `longest`, at most `most`.

    `UsageError` if patience does not grow as far.
    """
    if longest <= timing.patience:
        return 0
    if not timing.growth or longest > timing.most:
        raise UsageError(f"The patience of this detector does not grow to {longest} periods.")
    return ceil((longest - timing.patience) / timing.growth)
