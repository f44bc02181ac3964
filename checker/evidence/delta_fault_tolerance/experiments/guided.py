"""Where a guide ends: a broker that forwards by it is operational before that arrives, and the next one fails."""

from random import Random

from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.spec.protocols.delta_fault_tolerance.models import ONE, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import Crash, Down, Publish, Restart, Subscribe

ROW = FIRST, SECOND, THIRD, LAST = "0", "0.0", "0.0.0", "0.0.0.0"


def end_of_a_guide(variant: str | None) -> Run:
    """Four in a row, delta = 1: the first one publishes for the last one, while the second one rejoins."""
    run = Run(protocol(1, variant), right_start(Parameters(1), ROW, {}))
    run.command(LAST, Subscribe(ONE))
    run.drain()
    run.command(SECOND, Crash())
    run.command(SECOND, Restart())
    for link in ((SECOND, FIRST), (SECOND, THIRD), (FIRST, SECOND), (THIRD, SECOND)):
        _all(run, *link)
    run.command(FIRST, Publish((("x", 1),)))
    _all(run, FIRST, SECOND)
    # REJOIN arrives on both sides and is confirmed; the publication, which is behind it, has not arrived.
    run.deliver(SECOND, FIRST)
    _all(run, FIRST, SECOND)
    run.deliver(SECOND, THIRD)
    for link in ((THIRD, LAST), (LAST, THIRD), (THIRD, SECOND)):
        _all(run, *link)
    run.command(THIRD, Crash())
    run.command(SECOND, Down(THIRD))
    run.settle(Random(0))
    return run


def _all(run: Run, source: str, target: str) -> None:
    while run.links.get((source, target)):
        run.deliver(source, target)


def _subscribed_behind_the_back(variant: str | None) -> Run:
    run = Run(protocol(2, variant), right_start(Parameters(2), ROW[:3], {}))
    run.command(SECOND, Crash())
    run.command(FIRST, Down(SECOND))
    run.command(THIRD, Down(SECOND))
    run.drain()
    run.command(SECOND, Restart())
    _all(run, SECOND, FIRST)
    run.command(THIRD, Subscribe(ONE))
    _all(run, THIRD, FIRST)
    _all(run, FIRST, THIRD)
    run.command(THIRD, Crash())
    return run


def behind_the_back(variant: str | None, published: bool) -> Run:
    """Three in a row, delta = 2: a subscription goes past a broker that has its table already.

    The subscriber fails before it hears that the broker in the middle is back; in the end, it may be published to.
    """
    run = _subscribed_behind_the_back(variant)
    run.settle(Random(0))
    if published:
        run.command(FIRST, Publish((("x", 1),)))
        run.settle(Random(0))
    return run


def before_it_is_heard(variant: str | None) -> Run:
    """The same, but the subscriber comes back, and is published to from the middle while its REJOIN is on the way."""
    run = _subscribed_behind_the_back(variant)
    run.command(FIRST, Down(THIRD))
    run.command(SECOND, Down(THIRD))
    run.drain()
    run.command(THIRD, Restart())
    _all(run, THIRD, SECOND)
    _all(run, SECOND, THIRD)
    run.command(SECOND, Publish((("x", 1),)))
    run.settle(Random(0))
    return run
