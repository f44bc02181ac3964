"""Runs that are built step by step, by the rules of a variant or by ours."""

from collections.abc import Callable
from functools import cache

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script
from gomboc.checker.evidence.delta_fault_tolerance.experiments.drawn import as_needed
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, run_of
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import LEAF, goes_wrong
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.delta_fault_tolerance.commands import (
    Confirmed,
    Delivered,
    Join,
    Publish,
    Subscribe,
    Unreachable,
)
from gomboc.spec.protocols.delta_fault_tolerance.models import FIGURE_5, ONE, TWO, Wanted, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.types.kinds import Crash, Restart, Suspect

PUBLISHED = Publish((("x", 1),))
WANTED: Wanted = {"N1.N2.S1": (ONE,), "N1.N3.S4": (ONE,)}
"""The subscribers of Figure 5 that are to have the publication."""
ROW = FIRST, SECOND, THIRD, LAST = "0", "0.0", "0.0.0", "0.0.0.0"


def end_of_a_guide(variant: str | None) -> Run:
    """Four in a row, delta = 1: the first one publishes for the last one, while the second one rejoins."""
    run = run_of(1, ROW, variant=variant)
    run.command(LAST, Subscribe(ONE))
    run.drain()
    run.command(SECOND, Crash())
    run.command(SECOND, Restart())
    run.drain((SECOND, FIRST), (SECOND, THIRD), (FIRST, SECOND), (THIRD, SECOND))
    run.command(FIRST, PUBLISHED)
    run.drain((FIRST, SECOND))
    # REJOIN arrives on both sides and is confirmed; the publication, which is behind it, has not arrived.
    run.deliver(SECOND, FIRST)
    run.drain((FIRST, SECOND))
    run.deliver(SECOND, THIRD)
    run.drain((THIRD, LAST), (LAST, THIRD), (THIRD, SECOND))
    run.command(THIRD, Crash())
    run.command(SECOND, Suspect(THIRD))
    run.settle()
    return run


def _subscribed_behind_the_back(variant: str | None) -> Run:
    run = run_of(2, ROW[:3], variant=variant)
    run.command(SECOND, Crash())
    run.command(FIRST, Suspect(SECOND))
    run.command(THIRD, Suspect(SECOND))
    run.drain()
    run.command(SECOND, Restart())
    run.drain((SECOND, FIRST))
    run.command(THIRD, Subscribe(ONE))
    run.drain((THIRD, FIRST), (FIRST, THIRD))
    run.command(THIRD, Crash())
    return run


def behind_the_back(variant: str | None, published: bool) -> Run:
    """Three in a row, delta = 2: a subscription goes past a broker that has its table already.

    The subscriber fails before it hears that the broker in the middle is back; in the end, it may be published to.
    """
    run = _subscribed_behind_the_back(variant)
    run.settle()
    if published:
        run.command(FIRST, PUBLISHED)
        run.settle()
    return run


def before_it_is_heard(variant: str | None) -> Run:
    """The same, but the subscriber comes back, and is published to from the middle while its REJOIN is on the way."""
    run = _subscribed_behind_the_back(variant)
    run.command(FIRST, Suspect(THIRD))
    run.command(SECOND, Suspect(THIRD))
    run.drain()
    run.command(THIRD, Restart())
    run.drain((THIRD, SECOND), (SECOND, THIRD))
    run.command(SECOND, PUBLISHED)
    run.settle()
    return run


def while_one_is_away(variant: str | None, by: Protocol | None = None) -> Run:
    """Two brokers and a leaf, delta = 1: it joins while the broker two hops away has failed."""
    run = Run(by or protocol(1, variant), right_start(Parameters(1), TWO, {}, LEAF))
    run.command(TWO[0], Crash())
    run.command(TWO[1], Suspect(TWO[0]))
    run.command(LEAF[0], Join())
    run.deliver(LEAF[0], TWO[1])
    run.settle()
    return run


def unpublished(variant: str | None) -> Run:
    """A subscription behind the back of a broker, to which nothing is published."""
    return behind_the_back(variant, published=False)


LOSSES: dict[str, Callable[[str | None], Run]] = {
    "not_widened": end_of_a_guide,
    "silent_rejoin": lambda variant: behind_the_back(variant, published=True),
    "no_rejoin": before_it_is_heard,
}
"""The runs in which a variant loses a publication."""

SHOWN = LOSSES | {"silent_rejoin": unpublished, "join_goes_past": while_one_is_away}
"""The runs that are shown as scenes."""


def script(variant: str) -> Script:
    """The run of a variant as a scene."""
    return SHOWN[variant](variant).script()


def loses(variant: str) -> Evidence:
    """The run in which a variant loses a publication, and the same one by our rules."""
    made, ours = LOSSES[variant](variant), LOSSES[variant](None)
    figures = {"steps": made.broken.get("no_loss", 0)}
    return Evidence(settled(not made.wrong()), figures, {"by our rules nothing is lost": not ours.wrong()})


def needed(variant: str) -> Evidence:
    """Whether a rule is needed: the run of the variant without it loses a publication."""
    return as_needed(loses(variant))


def told_when_it_failed(*, failed: bool) -> Run:
    """Two brokers: the detector tells one that the other has failed, and it publishes; the other has, or has not."""
    run = run_of(1, TWO, {"0.1": (ONE,)})
    if failed:
        run.command("0.1", Crash())
    run.command("0", Suspect("0.1"))
    run.command("0", PUBLISHED)
    run.settle()
    return run


def detector_may_err() -> Evidence:
    """Two brokers, where the detector tells one that the other has failed, which it has not, or has."""
    wrongly, rightly = told_when_it_failed(failed=False), told_when_it_failed(failed=True)
    kinds = [type(report) for _, report in wrongly.told]
    lost = Confirmed in kinds and Delivered not in kinds
    return by_readings((settled(not lost), settled(not rightly.wrong())), {"steps": len(wrongly.turns)})


def client_of_its_own(variant: str) -> Run:
    """Three in a row: the last one is a client; its broker crashes, comes back, and gets a publication for it."""
    run = run_of(1, ROW[:3], {THIRD: (ONE,)}, variant)
    run.command(SECOND, Crash())
    for name in (FIRST, THIRD):
        run.command(name, Suspect(SECOND))
    run.settle()
    run.command(SECOND, Restart())
    run.settle()
    run.command(FIRST, PUBLISHED)
    run.settle()
    return run


def clients_are_forgotten() -> Evidence:
    """A client that is part of its broker, and one that is a node, which is delivered a publication."""
    evidence, run = goes_wrong("forgets_its_client", "no_loss"), client_of_its_own("forgets_its_client")
    had = any(name == THIRD and isinstance(report, Delivered) for name, report in run.told)
    return by_readings((evidence.result, settled(had and not run.wrong())), evidence.figures)


@cache
def leaf_fails(*, informed: bool) -> Run:
    """Two brokers: one has subscribed and fails, and the other one publishes; the detector tells it, or does not."""
    run = run_of(1, TWO, {TWO[1]: (ONE,)})
    run.command(TWO[1], Crash())
    run.command(TWO[0], PUBLISHED)
    run.drain()
    for node, word in run.owed() if informed else []:
        if node == TWO[0]:
            run.command(node, word)
    run.drain()
    return run


def whose_detector() -> Evidence:
    """Whether the publication is over while the subscriber is away."""
    outcomes = tuple(settled(not leaf_fails(informed=informed).states[TWO[0]].entries) for informed in (False, True))
    return by_readings(outcomes, {})


def too_many_are_reported() -> Evidence:
    """Four in a row, where the two in the middle have failed and delta is 1."""
    run = run_of(1, ROW, {LAST: (ONE,)})
    for name in (SECOND, THIRD):
        run.command(name, Crash())
    run.command(FIRST, PUBLISHED)
    for name in (SECOND, THIRD):
        run.command(FIRST, Suspect(name))
    kinds = [type(report) for _, report in run.told]
    return Evidence(settled(Unreachable in kinds and Confirmed not in kinds), {})


def exactly_once_for_whom() -> Evidence:
    """Two brokers: the subscriber crashes when it has been delivered a publication, and comes back."""
    run = run_of(1, TWO, {"0.1": (ONE,)})
    run.command("0", PUBLISHED)
    run.deliver("0", "0.1")
    run.command("0.1", Crash())
    run.links["0.1", "0"].clear()
    run.command("0.1", Restart())
    run.settle()
    had = sum(isinstance(report, Delivered) for _, report in run.told)
    return by_readings((settled(had == 1), settled(not run.broken)), {"times": had})


def figure_5(variant: str | None, delta: int) -> Run:
    """A publication from P1 in Figure 5, without failures, for those that are to have it."""
    run = run_of(delta, FIGURE_5, WANTED, variant)
    run.command("N1.P1", PUBLISHED)
    run.settle()
    return run


def recipients_have_no_direction() -> Evidence:
    """Figure 5 as printed and by our rules, for each delta; and the smallest system that breaks."""
    printed = {delta: figure_5("any_direction", delta) for delta in range(4)}
    ours = {delta: figure_5(None, delta) for delta in range(4)}
    return Evidence(
        settled(not any(run.wrong() for run in printed.values())),
        {"deltas": [delta for delta, run in printed.items() if run.wrong()], **goes_wrong("any_direction").figures},
        {"by our rules it is confirmed for each delta": not any(run.wrong() for run in ours.values())},
    )
