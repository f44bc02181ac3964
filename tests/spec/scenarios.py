"""Scenarios taken by the specification: a step is told rightly if some fall of its coins gives it."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from gomboc.spec.core.model import Commanded, Input, Outcome, Received, Timeout
from gomboc.spec.core.protocol import Protocol, configured
from gomboc.spec.core.registry import find_protocol
from tests.scenarios.scenario import Json, NodeRun, Step

UNSEEN = ("refuses", "held elsewhere", "holds again")
"""Outputs by which an implementation speaks of its own affairs."""


def protocol_of(run: NodeRun) -> Protocol:
    """The specification of a node, with its parameters and, for a variant, its printed rule."""
    name, _, variant = run.implementation.partition(".")
    plain = configured(find_protocol(name), run.parameters)
    return next(erratum.protocol for erratum in plain.variants.errata if erratum.name == variant) if variant else plain


def input_of(step: Step, protocol: Protocol) -> Input:
    """The input of a step."""
    match step.event:
        case "takes", message:
            return Received(msgspec.convert(message, protocol.vocabulary.message))
        case "obeys", command:
            return Commanded(msgspec.convert(command, protocol.vocabulary.command))
        case _:
            return Timeout()


def outcomes(protocol: Protocol, run: NodeRun, local: Any, taken: Input) -> Iterator[tuple[str, Outcome]]:
    """What each fall of the coins gives, with its name."""
    for choice in protocol.actor.choices(run.name, local, taken):
        yield choice.name, protocol.actor.react(run.name, local, taken, choice)


def outputs_of(outcome: Outcome) -> dict[str, list[str]]:
    """The messages to each target, and the deliveries."""
    sends = ((f"sends {send.target}", send.message) for send in outcome.sends)
    return _by_word((*sends, *(("delivers", content) for content in outcome.delivered)))


def told_of(step: Step) -> dict[str, list[str]]:
    """The messages to each target, and the deliveries, that a step tells of."""
    return _by_word((word, value) for word, value in step.outputs if word not in ("tosses", *UNSEEN))


def _by_word(outputs: Iterable[tuple[str, object]]) -> dict[str, list[str]]:
    by_word: dict[str, list[str]] = {}
    for word, value in outputs:
        by_word.setdefault(word, []).append(_text(value))
    return by_word


def coin_of(step: Step) -> Json:
    """The coin that a step tells of; None if it tells of none."""
    return next((value for word, value in step.outputs if word == "tosses"), None)


def _text(value: object) -> str:
    return msgspec.json.encode(msgspec.to_builtins(value), order="sorted").decode()
