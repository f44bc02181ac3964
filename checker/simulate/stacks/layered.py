"""A run of a stack layer by layer: each layer is simulated from a start of its own, and they hand over to each other.

The nodes have the names that the lowest layer gives them. Commands come from the disturbances of the protocols; those
that are handed over, and those that nodes take in all layers together, come from the lower layers only.
"""

from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from gomboc import __version__
from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.conformance import as_written
from gomboc.checker.judge.layers import Link, is_down
from gomboc.checker.simulate.plan import Plan, PlannedCommand, check_plan, commands, header, specification
from gomboc.checker.simulate.refusals import refusals
from gomboc.checker.simulate.stacks.plan import QUIET, Recorded, StackPlan
from gomboc.checker.simulate.under_test import budget, is_detected, under_test
from gomboc.checker.stacks.fit import known_stack, together_in
from gomboc.checker.stacks.recorded import Place, StackRun, Values, run_of
from gomboc.impl.api.overlays import keys_of
from gomboc.impl.api.recorder import record, record_stack
from gomboc.impl.core.trace import Step
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.layers import stacked
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.core.model import CERTAIN, Commanded
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.layers.stack import Layer, Stack, filled

Names = Mapping[str, str]
"""The names of a run's nodes for those that a protocol gives them."""


def check_layers(plan: StackPlan) -> None:
    """Raise UsageError if the plan cannot be simulated."""
    stack = known_stack(plan.stack)
    for name in plan.parameters:
        layer, dot, _ = name.partition(".")
        if not dot or layer not in {layer.name for layer in stack.layers}:
            known = ", ".join(layer.name for layer in stack.layers)
            raise UsageError(f"{name!r} is no parameter of a layer of {stack.name}: write LAYER.{name}, of {known}.")
    for place in _places(stack, plan.topics):
        check_plan(_plan_of(plan, stack, place, 0))
    _run(plan, stack)


def _places(stack: Stack, topics: tuple[str, ...]) -> tuple[Place, ...]:
    return tuple(Place(layer.name, topic) for layer in stack.layers for topic in (topics if layer.topics else (None,)))


def _run(plan: StackPlan, stack: Stack) -> StackRun:
    """The places and links of all runs. Raises UsageError if the topics do not fit the stack."""
    return run_of(stack, _places(stack, plan.topics), _topics(plan, stack), f"gomboc simulate {stack.name}")


@refusals()
def _topics(plan: StackPlan, stack: Stack) -> dict[str, Values]:
    """The topics, each with its key in the layer that looks keys up, if there is one."""
    values: dict[str, Values] = {topic: {} for topic in plan.topics}
    for layer in reversed(stack.layers):
        key_of = keys_of(layer.protocol, _parameters(plan, layer))
        if key_of is not None:
            values = {topic: {"key": key_of(topic)} for topic in plan.topics}
    return values


def _parameters(plan: StackPlan, layer: Layer) -> dict[str, Any]:
    start = f"{layer.name}."
    return {name.removeprefix(start): value for name, value in plan.parameters.items() if name.startswith(start)}


def _plan_of(plan: StackPlan, stack: Stack, place: Place, nodes: int) -> Plan:
    """The plan for the traces of one place; `nodes` is their number if it is not that of the plan."""
    layer = stack.layer(place.layer)
    lowest = layer is stack.layers[0]
    protocol = find_protocol(layer.protocol)
    return Plan(
        protocol=layer.protocol,
        implementation=layer.protocol,
        nodes=plan.nodes if lowest or not nodes else (nodes,),
        traces=plan.runs,
        seed=plan.seed_of(place.name),
        start=plan.start,
        messages=plan.messages,
        publications=plan.publications if protocol.variants.publishing else 0,
        disturb=plan.disturb and protocol.environment.disturbances is not None,
        outside=plan.outside if lowest else 0,
        parameters=_parameters(plan, layer),
        detection=plan.detection,
        patience=plan.patience,
        loss=plan.loss,
        reproduce=plan.reproduce,
    )


class _Instance(msgspec.Struct):
    """One layer of a run, or one topic of it: its header, its commands, and its simulation."""

    header: dict[str, Any]
    commands: tuple[PlannedCommand, ...]
    simulation: Simulation
    together: tuple[str, ...]
    protocol: Protocol


@refusals()
def run_layers(plan: StackPlan, folder: Path, index: int) -> Recorded:
    """Simulate run `index`, and record each layer in the folder. Raises UsageError if an implementation refuses it."""
    stack = known_stack(plan.stack)
    run = _run(plan, stack)
    instances = _instances(plan, run, index)
    steps: dict[str, list[Step]] = {name: [] for name in instances}
    end = QUIET + max((command.at for one in instances.values() for command in one.commands), default=0.0)
    simulations = {name: one.simulation for name, one in instances.items()}
    hand_over = _HandOvers(run.links)
    together = _Together({name: one.together for name, one in instances.items()})
    for name, step in takewhile(lambda taken: (taken[1].at or 0.0) < end, stacked(simulations, hand_over, together)):
        steps[name].append(step)
    folder.mkdir(parents=True)
    for place in run.places:
        path = folder / f"{place.name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        record(path, instances[place.name].header, steps[place.name])
    record_stack(folder, stack.name, _topics(plan, stack))
    return Recorded(len(steps), sum(map(len, steps.values())))


def _instances(plan: StackPlan, run: StackRun, index: int) -> dict[str, _Instance]:
    """The layers of a run. A node that one of them has down at its start is down in all."""
    lowest, *others = run.places
    made = {lowest.name: _instance(plan, run, lowest, index, (), ())}
    nodes = tuple(sorted(made[lowest.name].header["roles"]))
    made |= {place.name: _instance(plan, run, place, index, nodes, ()) for place in others}
    down = {command.node: command for one in made.values() for command in _down(one)}
    if not down:
        return made
    every = tuple(down.values())
    return {place.name: _instance(plan, run, place, index, nodes, every) for place in run.places}


def _down(layer: _Instance) -> Iterator[PlannedCommand]:
    """The commands that have brought nodes of a layer down before it starts: no further one has an effect there."""
    protocol, roles = layer.protocol, layer.header["roles"]
    for node, state in layer.header["states"].items():
        local: Any = msgspec.convert(state, protocol.vocabulary.roles[roles[node]])
        if layer.together and is_down(protocol, node, local, layer.together):
            yield PlannedCommand(0.0, node, layer.together[0])


def _instance(
    plan: StackPlan,
    run: StackRun,
    place: Place,
    index: int,
    nodes: tuple[str, ...],
    down: tuple[PlannedCommand, ...],
) -> _Instance:
    """One layer, on those nodes; on its own ones if it is the lowest. It has taken the commands `down` at its start."""
    layer_plan = _plan_of(plan, run.stack, place, len(nodes))
    protocol, head = specification(layer_plan), header(layer_plan, index)
    own = tuple(sorted(head["roles"]))
    if nodes and len(own) != len(nodes):
        has = f"{place.name} has {len(own)} nodes, and {run.places[0].name} has {len(nodes)}"
        raise UsageError(f"The stack {run.stack.name} does not fit: {has}.")
    names = dict(zip(own, nodes or own, strict=True))
    drawn = _commands(layer_plan, run, place, protocol, index, own)
    head = _renamed_header(protocol, head, names) | {"origin": _origin(plan, run, place, index)}
    openings = _openings(plan, run.stack, place, nodes or own)
    together = together_in(run.stack, protocol)
    head["states"] |= {command.node: _after(protocol, head, command) for command in down if command.kind in together}
    given = (*openings, *(_renamed(protocol, command, names) for command in drawn))
    tested = under_test(layer_plan, layer_plan.parameters)
    assert tested is not None, "an implementation is run"
    timed = tuple(TimedCommand(command.at, command.node, command.command()) for command in given)
    failures = budget(layer_plan) if tested.failing is not None and is_detected(layer_plan) else None
    discipline = Discipline(protocol.discipline.value)
    conditions = Conditions(commands=timed, discipline=discipline, failures=failures)
    simulation = Simulation(head, tested, layer_plan.seed_of(index, "run"), conditions)
    return _Instance(head, given, simulation, together, protocol)


def _after(protocol: Protocol, head: dict[str, Any], command: PlannedCommand) -> Any:
    """The state of a node after a command, which it takes before the run begins."""
    node = command.node
    local: Any = msgspec.convert(head["states"][node], protocol.vocabulary.roles[head["roles"][node]])
    taken = Commanded(msgspec.convert(command.command(), protocol.vocabulary.command))
    return msgspec.to_builtins(protocol.actor.react(node, local, taken, CERTAIN[0]).local)


def _origin(plan: StackPlan, run: StackRun, place: Place, index: int) -> dict[str, Any]:
    return {
        "implementation": f"gomboc {run.stack.layer(place.layer).protocol}",
        "version": __version__,
        "seed": plan.seed,
        "trace": index,
        "transport": "simulated",
        "command": plan.reproduce,
    }


def _openings(plan: StackPlan, stack: Stack, place: Place, nodes: tuple[str, ...]) -> Iterator[PlannedCommand]:
    """The commands that the application gives to each node when it begins."""
    topics = _topics(plan, stack)
    for opening in stack.openings:
        for topic in plan.topics if opening.layer == place.layer and place.topic in (None, *plan.topics) else ():
            if place.topic in (None, topic):
                command = dict(filled(opening.command, {**topics[topic], "topic": topic}))
                kind = command.pop("kind")
                yield from (PlannedCommand(0.0, node, kind, command) for node in nodes)


def _commands(
    plan: Plan, run: StackRun, place: Place, protocol: Protocol, index: int, own: tuple[str, ...]
) -> Iterator[PlannedCommand]:
    """The drawn disturbances but those that a lower layer decides."""
    others = () if place == run.places[0] else together_in(run.stack, protocol)
    for command in commands(plan, index, own):
        handed = any(link.target == place.name and link.reserves(command.command()) for link in run.links)
        if not handed and command.kind not in others:
            yield command


def _renamed_header(protocol: Protocol, head: dict[str, Any], names: Names) -> dict[str, Any]:
    if all(name == other for name, other in names.items()):
        return head
    rename, roles = _renaming(protocol), protocol.vocabulary.roles
    states = {
        names[name]: msgspec.to_builtins(rename(msgspec.convert(state, roles[head["roles"][name]]), names))
        for name, state in head["states"].items()
    }
    messages = [
        {
            "id": sent["id"],
            "to": names[sent["to"]],
            "message": msgspec.to_builtins(
                rename(msgspec.convert(sent["message"], protocol.vocabulary.message), names)
            ),
        }
        for sent in head["messages"]
    ]
    return {
        **head,
        "roles": {names[name]: role for name, role in head["roles"].items()},
        "states": states,
        "messages": messages,
    }


def _renamed(protocol: Protocol, command: PlannedCommand, names: Names) -> PlannedCommand:
    if all(name == other for name, other in names.items()):
        return command
    value = msgspec.convert(command.command(), protocol.vocabulary.command)
    fields = msgspec.to_builtins(_renaming(protocol)(value, names))
    return PlannedCommand(command.at, names[command.node], fields.pop("kind"), fields)


def _renaming(protocol: Protocol) -> Any:
    if protocol.naming.renamed is None:
        raise UsageError(f"{protocol.name} does not say how its nodes are renamed, so it is the lowest layer only.")
    return protocol.naming.renamed


class _HandOvers:
    """The commands that deliveries become, by the links of a run."""

    def __init__(self, links: tuple[Link, ...]) -> None:
        self._links = links

    def __call__(self, layer: str, content: object) -> Iterator[tuple[str, object]]:
        """The commands that a delivery in that layer becomes."""
        delivered = as_written(content)
        for link in self._links:
            command = link.handed(delivered) if link.source == layer else None
            if command is not None:
                yield link.target, command


class _Together:
    """The commands that accompany one: the same in each other layer whose protocol has it."""

    def __init__(self, kinds: Mapping[str, tuple[str, ...]]) -> None:
        self._kinds = kinds

    def __call__(self, layer: str, command: object) -> Iterator[tuple[str, object]]:
        """The commands that accompany one that a node has taken in that layer."""
        written = as_written(command)
        kind = written.get("kind")
        if kind in self._kinds[layer]:
            yield from ((other, written) for other, kinds in self._kinds.items() if other != layer and kind in kinds)
