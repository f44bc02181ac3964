"""Closure by induction on single steps: no step leads out of the legitimate states, with any messages in flight.

A state is legitimate if neither its anchor, nor any node, nor any message is at fault. A step takes one node's state
and at most one message, or a quiet command, changes the state of that node only, and adds messages. As long as the
anchor stays the same, the rest stays legitimate. So each step is judged by itself, and the result does not depend on
the other messages in flight. A step to a legitimate state that is not considered, or with a message that is not, leaves
the result unknown; one that ends legitimacy is a violation, whatever is not considered.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch, Report, silent
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding, Run, settled, violated
from gomboc.spec.core.channels import Envelope
from gomboc.spec.core.faults import anchor_of, legitimacy_faults
from gomboc.spec.core.model import Commanded, Input, Kind, Offer, Outcome, Promise, Received, Timeout
from gomboc.spec.core.network import Act, begin, is_legitimate, step
from gomboc.spec.core.pinned import Closure
from gomboc.spec.core.protocol import Protocol, Start

PATIENCE = 64
"""Number of local states between two checks of the bounds."""


class LegitimateState(msgspec.Struct, frozen=True):
    """A legitimate state: its anchor, and the legitimate messages under that anchor, by target and in order."""

    start: Start
    anchor: Any
    messages: dict[str, dict[Any, None]]

    def acts(self, protocol: Protocol, node: str, local: Any) -> Iterator[Act]:
        """Every step that a node may take, with every result of its coins.

        These are its timeout, each legitimate message to it, and each quiet command that is offered to it while no
        message is in flight. Any other command may end legitimacy.
        """
        inputs: list[tuple[Input, Envelope | None, Offer | None]] = [(Timeout(), None, None)]
        inputs += [(Received(message), Envelope(node, message), None) for message in self.messages.get(node, {})]
        offers = protocol.environment.offers(dict(self.start.locals), ()) if protocol.environment.quiet else ()
        inputs += [
            (Commanded(offer.command), None, offer)
            for offer in offers
            if offer.node == node and isinstance(offer.command, protocol.environment.quiet)
        ]
        for taken, envelope, offer in inputs:
            for choice in protocol.actor.choices(node, local, taken):
                yield Act(node, taken, choice, envelope, offer)


class UnseenSteps(msgspec.Struct):
    """The steps that leave the induction: their number, and the run and the reason of the first."""

    number: int = 0
    first: Run | None = None
    why: str = ""

    @property
    def text(self) -> str:
        """Why the closure is unknown; empty if no step leaves the induction."""
        out = f"{counted(self.number, 'step')} {'leaves' if self.number == 1 else 'leave'} the induction"
        return f"{out}: {self.why}" if self.number else ""

    def add(self, why: str, run: Callable[[], Run]) -> None:
        """Count a step; `run` is asked for the first one only."""
        if not self.number:
            self.first, self.why = run(), why
        self.number += 1


def examine(closure: Closure, bounds: Bounds | None = None, report: Report = silent) -> Exploration:
    """Judge every step from every legitimate state by itself. The counts are local states, and steps of one node."""
    watch, protocol = BoundWatch(bounds or Bounds(), report), closure.protocol
    starts = tuple(closure.rights())
    known = {(node, local) for start in starts for node, local in start.locals}
    promise = Promise(Kind.STABLE, "closure", lambda world: is_legitimate(protocol, world), protocol.legitimacy.defined)
    states = taken = 0
    violation, unseen_steps, stopped = None, UnseenSteps(), ""
    for right, node, local in places(closure, starts):
        states += 1
        for act in right.acts(protocol, node, local):
            taken += 1
            violation = violation or judge(closure, promise, right, act, known, unseen_steps)
        stopped = watch.why_stop(states, states, taken) if states % PATIENCE == 0 else ""
        if violation or stopped:
            break
    commands = "; commands are those offered while nothing is in flight" if protocol.environment.quiet else ""
    claim = f"{counted(taken, 'step')}; {closure.bounds}{commands}"
    why = "; ".join(filter(None, (stopped, unseen_steps.text)))
    finding = violation or settled(promise, closure.says, claim, why, run=unseen_steps.first)
    extent = Extent(len(starts), states, taken, states, 0, closure.bounds, stopped)
    return Exploration(protocol.name, "central", "steps", extent, len(starts), watch.seconds, (finding,))


def places(closure: Closure, starts: tuple[Start, ...]) -> Iterator[tuple[LegitimateState, str, Any]]:
    """Every local state of every node, once for each anchor, in one of the legitimate states where it occurs."""
    rights: dict[Any, LegitimateState] = {}
    seen: set[tuple[Any, str, Any]] = set()
    for start in starts:
        anchor = anchor_of(closure.protocol, dict(start.locals))
        if anchor not in rights:
            rights[anchor] = LegitimateState(start, anchor, right_messages(closure, start, anchor))
        for node, local in start.locals:
            if (anchor, node, local) not in seen:
                seen.add((anchor, node, local))
                yield replace(rights[anchor], start=start), node, local


def right_messages(closure: Closure, start: Start, anchor: Any) -> dict[str, dict[Any, None]]:
    """The messages of the closure that are not at fault, by target."""
    messages: dict[str, dict[Any, None]] = {}
    for target, message in closure.about(start):
        if not closure.protocol.legitimacy.message_faults(anchor, target, message):
            messages.setdefault(target, {})[message] = None
    return messages


def judge(
    closure: Closure,
    promise: Promise,
    right: LegitimateState,
    act: Act,
    known: set[tuple[str, Any]],
    unseen_steps: UnseenSteps,
) -> Finding | None:
    """The finding on a step that leads to an illegitimate state, else None. One out of the induction is counted."""
    protocol, states = closure.protocol, dict(right.start.locals)
    outcome = protocol.actor.react(act.node, states[act.node], act.input, act.choice)
    after = {**states, act.node: outcome.local}
    sent = tuple((send.target, send.message) for send in outcome.sends)
    faults = legitimacy_faults(protocol, after, sent)
    if faults:
        says = f"it held, and step 1 ends it: {', '.join(dict.fromkeys(fault.rule for fault in faults))}"
        return violated(promise, closure.says, says, run_of(protocol, right.start, act))
    why = unseen(protocol, right, act, outcome, known)
    if why:
        unseen_steps.add(why, lambda: run_of(protocol, right.start, act))
    return None


def unseen(protocol: Protocol, right: LegitimateState, act: Act, outcome: Outcome, known: set[tuple[str, Any]]) -> str:
    """Why a step to a legitimate state leaves the induction; empty if it does not."""
    if anchor_of(protocol, {**dict(right.start.locals), act.node: outcome.local}) != right.anchor:
        return f"a step of {act.node} changes what all others are judged by"
    if (act.node, outcome.local) not in known:
        return f"a step of {act.node} leads to a right state that is not looked at: {outcome.local!r}"
    missed = [send for send in outcome.sends if send.message not in right.messages.get(send.target, {})]
    return f"a step of {act.node} sends a right message that is not looked at: {missed[0]!r}" if missed else ""


def run_of(protocol: Protocol, start: Start, act: Act) -> Run:
    """The run of one step from a legitimate state, with only the message that it takes in flight."""
    in_flight = () if act.envelope is None else ((act.envelope.target, act.envelope.message),)
    budget = ((act.offer.budget, 1),) if act.offer is not None and act.offer.budget else ()
    world = begin(replace(start, in_flight=in_flight), protocol.discipline, budget)
    return Run((world, step(protocol, world, act)), (act,))
