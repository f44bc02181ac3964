"""The traces of the errata: `python -m tests.golden.errata` rewrites every one of them.

Each is a scene of `gomboc.checker.errata`, a list of nodes and inputs; the steps are those of the implementation. Where
the implementation does not have a printed rule, they are the specification's, and `origin` says so.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.errata.registry import find_claims, protocols_with_claims, script_of
from gomboc.checker.errata.scene import Scene, Script, Stage, Turn, last, play
from gomboc.checker.judge.promises import Histories
from gomboc.checker.simulate.plan import header_of
from gomboc.checker.simulate.redone import take
from gomboc.checker.simulate.spec_runner import Player, outcome_of
from gomboc.impl.api.registry import implementations
from gomboc.impl.core.automaton import Commanded, Implementation, Received, Timeout
from gomboc.spec.core.model import Commanded as SpecifiedCommand
from gomboc.spec.core.model import Received as SpecifiedMessage
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol
from tests.golden.drive import ASKS, IS_SILENT, Trace
from tests.golden.make import TRACES
from tests.golden.telling import written

COMMAND = "python -m tests.golden.errata"


def folder(protocol: str) -> Path:
    """Where the traces of that protocol's errata are."""
    return TRACES / protocol / "errata"


def scenes(protocol: str) -> dict[str, Scene]:
    """Every scene of a protocol's claims, by name."""
    claimed = [scene for claim in find_claims(protocol) for scene in claim.scenes]
    named = {scene.name: scene for scene in claimed}
    assert all(named[scene.name] == scene for scene in claimed), "two scenes have one name"
    return named


def performed(name: str, scene: Scene) -> Trace:
    """The trace of a scene."""
    script, known = script_of(name, scene), implementations()
    protocol = variant_of(name, scene)
    who = f"{name}.{scene.variant}" if scene.variant else name
    origin = {"implementation": f"gomboc {who}", "command": COMMAND, "story": scene.shows}
    head = header_of(find_protocol(name), script.start, scene.parameters)
    if who in known and not scene.parameters:
        steps = _steps_of_implementation(head, known[who], script.turns)
    else:
        origin["implementation"] = f"the specification of {who}"
        player = Player(protocol, script.start, scene.parameters)
        for turn in script.turns:
            player.take(turn.node, turn.taken, turn.coin)
        steps = iter(player.lines[1:])
    bound = {} if script.bound is None else {"bound": script.bound}
    return [{**head, "origin": origin, **bound, "expect": expected(name, scene, script)}, *steps]


def expected(name: str, scene: Scene, script: Script) -> dict[str, Any]:
    """Expected verdict on the trace by our rules, also where a printed one was played.

    That is violated at the first step that ours do not take, or by which a promise over histories is broken; and a
    scene that breaks none and yet is violated ends with the last round within which it had to be legitimate. Where our
    operating assumption is broken it is unknown.
    """
    ours, played = configured(find_protocol(name), scene.parameters), variant_of(name, scene)
    stages = play(played, script)
    for step, (turn, stage) in enumerate(zip(script.turns, stages, strict=False), 1):
        if _assumption_is_broken(ours, stage):
            return {"verdict": "unknown"}
        takes = (turn.node, stage.states[turn.node], turn.taken, turn.coin)
        outcome, expects = (outcome_of(rules, *takes) for rules in (played, ours))
        if outcome != expects:
            refused = ours.naming.malformed(outcome[0].local)
            rule = "canonical" if refused else ours.actor.rule(takes[1], turn.taken).name
            return {"verdict": "violated", "step": step, "rule": rule}
    if _assumption_is_broken(ours, last(played, script)):
        return {"verdict": "unknown"}
    if scene.exit_code:
        step, rule = next(_broken(ours, script), (len(script.turns), "convergence"))
        return {"verdict": "violated", "step": step, "rule": rule}
    return {"verdict": "holds"}


def _broken(ours: Protocol, script: Script) -> Iterator[tuple[int, str]]:
    """The steps with deliveries that break a promise, and its name."""
    histories = Histories(ours.promises.observers)
    stages = list(play(ours, script))[1:]
    for step, (turn, stage) in enumerate(zip(script.turns, stages, strict=True), 1):
        for delivery in stage.delivered:
            for name in histories.deliver(turn.node, msgspec.to_builtins(delivery)):
                yield step, name


def _assumption_is_broken(ours: Protocol, stage: Stage) -> bool:
    return bool(ours.promises.assumption(stage.states, stage.in_flight))


def variant_of(name: str, scene: Scene) -> Protocol:
    """The protocol under which a scene is played."""
    protocol = configured(find_protocol(name), scene.parameters)
    if scene.variant is None:
        return protocol
    (variant,) = (variant.protocol for variant in protocol.variants.errata if variant.name == scene.variant)
    return variant


class _Ids:
    """Which message in flight has which id; of equal ones, the oldest goes first."""

    def __init__(self, head: dict[str, Any]) -> None:
        self._numbers = count(len(head["messages"]))
        self._in_flight = [(message["to"], _written(message["message"]), message["id"]) for message in head["messages"]]

    def taken(self, turn: Turn) -> Any:
        """The `took` of a step."""
        match turn.taken:
            case SpecifiedMessage(message):
                said = _written(message)
                entry = next(candidate for candidate in self._in_flight if candidate[:2] == (turn.node, said))
                self._in_flight.remove(entry)
                return entry[2]
            case SpecifiedCommand(command):
                return _written(command)
        return "timeout"

    def sent(self, sends: list[tuple[str, Any]]) -> list[dict[str, Any]]:
        """The `sent` of a step."""
        numbered = [{"id": next(self._numbers), "to": to, "message": message} for to, message in sends]
        self._in_flight += [(message["to"], message["message"], message["id"]) for message in numbered]
        return numbered


def _steps_of_implementation(head: dict[str, Any], made: Implementation, turns: tuple[Turn, ...]) -> Iterator[Any]:
    ids, states = _Ids(head), dict(head["states"])
    for turn in turns:
        took = ids.taken(turn)
        coin = ASKS if turn.coin == "ask" else IS_SILENT
        result = take(made, head["roles"][turn.node], turn.node, states[turn.node], _input(made, turn), coin)
        states[turn.node] = result.state
        sent = ids.sent([(send["to"], send["message"]) for send in result.sends])
        step = {"node": turn.node, "took": took, "state": result.state, "sent": sent}
        yield step | ({} if result.coin is None else {"coin": result.coin})


def _written(value: Any) -> Any:
    """A value as a trace has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _input(made: Implementation, turn: Turn) -> Timeout | Received | Commanded:
    match turn.taken:
        case SpecifiedMessage(message):
            return Received(made.decode(msgspec.json.encode(message)))
        case SpecifiedCommand(command):
            return made.commanded(command)
    return Timeout()


def made(protocol: str) -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every trace of a protocol's errata."""
    for name, scene in scenes(protocol).items():
        yield f"{name}.jsonl", written(performed(protocol, scene))


def main() -> None:
    """Rewrite every trace."""
    for protocol in protocols_with_claims():
        folder(protocol).mkdir(exist_ok=True)
        for name, contents in made(protocol):
            (folder(protocol) / name).write_bytes(contents)


if __name__ == "__main__":
    main()
