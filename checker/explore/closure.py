"""Closure by induction on single steps: no step leads out of the legitimate states, however much is in flight.

A state is legitimate if neither its anchor, nor any node, nor any message is at fault. A step takes one node's state
and at most one message, or a command that is quiet, changes that node's state only, and adds messages. While the anchor
stays as it is, all else stays right. So each step is taken by itself, and nothing depends on what else is in flight.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.checker.explore.bounds import Bounds, Report, Watch, silent
from gomboc.checker.explore.finding import Exploration, Finding, settled, violated
from gomboc.checker.explore.run import Run
from gomboc.checker.words import counted
from gomboc.spec.channels import Envelope
from gomboc.spec.environment import Offer
from gomboc.spec.model import Commanded, Input, Kind, Outcome, Promise, Received, Timeout
from gomboc.spec.network import Act, begin, is_legitimate, step
from gomboc.spec.pinned import Closure
from gomboc.spec.protocol import Protocol, Start, anchor_of, legitimacy_faults

PATIENCE = 64
"""Local states between two looks at the clock."""


class Right(msgspec.Struct, frozen=True):
    """A right state: its anchor, and the messages about it that are right, by target and in their order."""

    start: Start
    anchor: Any
    messages: dict[str, dict[Any, None]]

    def acts(self, protocol: Protocol, node: str, local: Any) -> Iterator[Act]:
        """Every step that a node may take, however its coins fall.

        That is its timeout, each right message to it, and each command that is offered to it while nothing is in
        flight, if it is quiet: any other may end what was legitimate.
        """
        inputs: list[tuple[Input, Envelope | None, Offer | None]] = [(Timeout(), None, None)]
        inputs += [(Received(message), Envelope(node, message), None) for message in self.messages.get(node, {})]
        offers = protocol.environment(dict(self.start.locals), ()) if protocol.quiet else ()
        inputs += [
            (Commanded(offer.command), None, offer)
            for offer in offers
            if offer.node == node and isinstance(offer.command, protocol.quiet)
        ]
        for taken, envelope, offer in inputs:
            for choice in protocol.choices(node, local, taken):
                yield Act(node, taken, choice, envelope, offer)


def examine(closure: Closure, bounds: Bounds | None = None, report: Report = silent) -> Exploration:
    """Take every step from every right state by itself. What is counted are local states, and steps of one node."""
    watch, protocol = Watch(bounds or Bounds(), report), closure.protocol
    starts = tuple(closure.rights())
    known = {(node, local) for start in starts for node, local in start.locals}
    promise = Promise(Kind.STABLE, "closure", lambda world: is_legitimate(protocol, world), protocol.defined)
    states = taken = 0
    finding, stopped = None, ""
    for right, node, local in places(closure, starts):
        states += 1
        for act in right.acts(protocol, node, local):
            taken += 1
            finding = finding or judge(closure, promise, right, act, known)
        stopped = watch.why_stop(states, states, taken) if states % PATIENCE == 0 else ""
        if finding or stopped:
            break
    finding = finding or settled(promise, closure.says, f"{counted(taken, 'step')}; {closure.bounds}", stopped)
    counts = len(starts), states, taken, len(starts), 0
    return Exploration(protocol.name, "central", "steps", closure.bounds, *counts, stopped, watch.seconds, (finding,))


def places(closure: Closure, starts: tuple[Start, ...]) -> Iterator[tuple[Right, str, Any]]:
    """Every local state of every node, once for each anchor, in one of the right states where it occurs."""
    rights: dict[Any, Right] = {}
    seen: set[tuple[Any, str, Any]] = set()
    for start in starts:
        anchor = anchor_of(closure.protocol, dict(start.locals))
        if anchor not in rights:
            rights[anchor] = Right(start, anchor, right_messages(closure, start, anchor))
        for node, local in start.locals:
            if (anchor, node, local) not in seen:
                seen.add((anchor, node, local))
                yield replace(rights[anchor], start=start), node, local


def right_messages(closure: Closure, start: Start, anchor: Any) -> dict[str, dict[Any, None]]:
    """The messages that are looked at and not at fault, by target."""
    messages: dict[str, dict[Any, None]] = {}
    for target, message in closure.about(start):
        if not closure.protocol.message_faults(anchor, target, message):
            messages.setdefault(target, {})[message] = None
    return messages


def judge(closure: Closure, promise: Promise, right: Right, act: Act, known: set[tuple[str, Any]]) -> Finding | None:
    """What is wrong with a step, if anything: it leads to a wrong state, or to what is not looked at."""
    protocol, states = closure.protocol, dict(right.start.locals)
    outcome = protocol.react(act.node, states[act.node], act.input, act.choice)
    after = {**states, act.node: outcome.local}
    sent = tuple((send.target, send.message) for send in outcome.sends)
    faults = legitimacy_faults(protocol, after, sent)
    if faults:
        says = f"it held, and step 1 ends it: {', '.join(dict.fromkeys(fault.rule for fault in faults))}"
        return violated(promise, closure.says, says, run_of(protocol, right.start, act))
    why = unseen(protocol, right, act, outcome, known)
    return settled(promise, closure.says, "", why) if why else None


def unseen(protocol: Protocol, right: Right, act: Act, outcome: Outcome, known: set[tuple[str, Any]]) -> str:
    """Why a step to a right state leads to what the induction does not look at; nothing if it does not."""
    if anchor_of(protocol, {**dict(right.start.locals), act.node: outcome.local}) != right.anchor:
        return f"a step of {act.node} changes what all others are judged by"
    if (act.node, outcome.local) not in known:
        return f"a step of {act.node} leads to a right state that is not looked at: {outcome.local!r}"
    missed = [send for send in outcome.sends if send.message not in right.messages.get(send.target, {})]
    return f"a step of {act.node} sends a right message that is not looked at: {missed[0]!r}" if missed else ""


def run_of(protocol: Protocol, start: Start, act: Act) -> Run:
    """The run of one step from a right state, with nothing in flight but the message that it takes."""
    in_flight = () if act.envelope is None else ((act.envelope.target, act.envelope.message),)
    budget = ((act.offer.budget, 1),) if act.offer is not None and act.offer.budget else ()
    world = begin(replace(start, in_flight=in_flight), protocol.discipline, budget)
    return Run((world, step(protocol, world, act)), (act,))
