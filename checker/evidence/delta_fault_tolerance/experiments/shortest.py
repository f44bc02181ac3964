"""The shortest counterexample of a small instance: breadth first, until something is wrong that stays wrong."""

from collections.abc import Callable
from functools import cache

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, Result, by_readings, settled
from gomboc.checker.errata.scene import Script, Turn, timeout
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import UNEQUAL, read
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.instance import Instance, bounded_model, starts
from gomboc.spec.core.model import CERTAIN, Commanded
from gomboc.spec.core.network import Act, World
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, MODELS, ONE, TWO, brokers, joining, protocol
from gomboc.spec.protocols.delta_fault_tolerance.variables import unanswered

Wrong = Callable[[World], bool]


def is_stuck(instance: Instance) -> Wrong:
    """Whether nothing is in flight, owed, or asked again any more, and yet not all is right."""
    protocol = instance.protocol

    def stuck(world: World) -> bool:
        states = world.states()
        offers = protocol.environment.offers(states, ())
        waiting = world.channels.in_flight or any(unanswered(local) for local in states.values())
        at_rest = not waiting and not any(offer.owed for offer in offers)
        return at_rest and bool(legitimacy_faults(protocol, states, ()))

    return stuck


def is_broken(name: str) -> Wrong:
    """Whether that promise over histories is broken."""
    return lambda world: name in world.broken


def any_promise(world: World) -> bool:
    """Whether a promise over histories is broken."""
    return bool(world.broken)


def shortest(instance: Instance, wrong: Wrong) -> tuple[Act, ...] | None:
    """The acts of a shortest run that ends wrong; None if there is none."""
    # A node does the same in many worlds.
    model = bounded_model(
        replace(instance, protocol=instance.protocol.changed(react=cache(instance.protocol.actor.react)))
    )
    (first,) = model.initial()
    before: dict[World, tuple[World, Act] | None] = {first: None}
    frontier: list[World] = [first]
    while frontier:
        fresh: list[World] = []
        for world in frontier:
            for act in model.enabled(world):
                after = model.step(world, act)
                if after in before:
                    continue
                before[after] = world, act
                if wrong(after):
                    return _way(before, after)
                fresh.append(after)
        frontier = fresh
    return None


def _way(before: dict[World, tuple[World, Act] | None], world: World) -> tuple[Act, ...]:
    acts: list[Act] = []
    while (step := before[world]) is not None:
        world, act = step
        acts.append(act)
    return tuple(reversed(acts))


LEAF, LEAVES, ROUNDS = ("0.1.2",), ("0.2", "0.3"), 3

MODELLED = {candidate.name: candidate.model for candidate in MODELS} | {
    "join_unheard": joining(1, TWO, LEAF, "join_unheard", join=1),
    "unmarked": joining(1, TWO, LEAVES, "unmarked", join=2),
}
"""The small systems, by the variants whose rules they run: those that are pinned, and two of leaves that join."""


def model(variant: str) -> Instance:
    """The small system of a variant."""
    instance = MODELLED[variant]
    assert isinstance(instance, Instance)
    return instance


def wrong_by(variant: str, promise: str | None) -> Wrong:
    """Whether a run of a variant breaks that promise; if none is given, whether it comes to rest and is not right."""
    return is_stuck(model(variant)) if promise is None else is_broken(promise)


@cache
def acts(variant: str, promise: str | None = None) -> tuple[Act, ...]:
    """The shortest run of a variant that goes wrong so; empty if there is none."""
    return shortest(model(variant), wrong_by(variant, promise)) or ()


def script(variant: str, promise: str | None = None) -> Script:
    """That run as a scene; if no promise is broken, with rounds in which nothing happens: it is judged to be over."""
    instance, rounds = model(variant), 0 if promise else ROUNDS
    assert acts(variant, promise), f"{variant} goes wrong"
    (start,) = starts(instance)
    turns = tuple(Turn(act.node, act.input, act.choice.name) for act in acts(variant, promise))
    idle = tuple(timeout(name, CERTAIN[0].name) for name in instance.names())
    return Script(start, turns + idle * rounds, rounds - 1 if rounds else None)


def goes_wrong(variant: str, promise: str | None = None) -> Evidence:
    """Whether any run of a variant goes wrong so, and after how many steps the shortest one does."""
    steps = len(acts(variant, promise))
    return Evidence(settled(not steps), {"steps": steps})


def holds_in(instance: Instance, protocol: Protocol, wrong: Wrong = any_promise) -> Result:
    """Whether nothing goes wrong in any run of a small system by those rules."""
    return settled(shortest(replace(instance, protocol=protocol), wrong) is None)


def with_ours(variant: str, promise: str) -> Evidence:
    """The same, and whether any promise is broken by our rules in the same system."""
    evidence = goes_wrong(variant, promise)
    return by_readings((evidence.result, holds_in(model(variant), protocol(1))), evidence.figures)


def marked_links() -> Evidence:
    """Whether marked links are needed: ours without them goes wrong."""
    return Evidence(Result.REPRODUCED, goes_wrong("unmarked").figures)


def index_of_from() -> Evidence:
    """Four in a row, delta = 1: as printed, the index is never above 0 where it is needed."""
    indices = {d - (delta + 1) for delta in range(4) for d in range(1, delta + 2)}
    evidence = goes_wrong("printed_index")
    return Evidence(evidence.result, evidence.figures, {"no index is above 0": max(indices) == 0})


def duplicates_by_succession() -> Evidence:
    """Two brokers, by each reading of the sign."""
    variant = "inverted_duplicates"
    readings = read(UNEQUAL, 1), protocol(1, variant), protocol(1)
    outcomes = tuple(holds_in(model(variant), reading) for reading in readings)
    return by_readings(outcomes, goes_wrong(variant, "no_loss").figures)


def delivered_on_confirmation() -> Evidence:
    """Three in a row: one publication goes on, and the next one ends here."""
    names, promise = ("0", "0.1", "0.2"), "publisher_order"
    evidence = goes_wrong("on_confirmation", promise)
    calm = shortest(brokers(1, names, {"0": (ANY,), "0.2": (ONE,)}, publication=1, other=1), is_broken(promise))
    by_leaves = brokers(1, names, {"0.1": (ANY,), "0.2": (ONE,)}, "on_confirmation", publication=1, other=1)
    own = shortest(by_leaves, is_broken(promise)) or ()
    return Evidence(
        evidence.result,
        {**evidence.figures, "own": len(own)},
        {
            "in order of arrival, no schedule breaks the order": calm is None,
            "of leaves, it happens to one that publishes": bool(own)
            and isinstance(own[0].input, Commanded)
            and own[0].node == own[-1].node == "0.1",
        },
    )
