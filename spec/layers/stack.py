"""Stacks: protocols in layers on the same nodes, where deliveries of one layer are commands of another.

A pattern is an object of JSON with the fields that a delivery, or a command, must have. In it "$topic" stands for the
name of a topic, and "$NAME" for the value of that name that the topic has in a recorded run, such as its key.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

Pattern = Mapping[str, Any]


class Layer(msgspec.Struct, frozen=True):
    """A layer: one instance of its protocol or, with `topics`, an independent one for each topic."""

    name: str
    protocol: str
    topics: bool = False


class HandOver(msgspec.Struct, frozen=True):
    """Deliveries of `source` that fit a pattern are commands of `target`, at the same node and in the same turn.

    The command has the fields of its pattern, and those of the delivery that its pattern does not name. If both layers
    have topics, each topic is handed over to itself. If only the target has, the delivery is a command of each topic
    with the values in it: a route towards a key that topics share is one of each of them.
    """

    source: str
    delivery: Pattern
    target: str
    command: Pattern


class Opening(msgspec.Struct, frozen=True):
    """A command that the application gives to each node in that layer, for each topic, when it begins."""

    layer: str
    command: Pattern


class Stack(msgspec.Struct, frozen=True):
    """A stack: its layers, the lowest first, and what they hand over, upwards or downwards.

    A command of a kind in `together` is taken by a node in the same turn in all layers whose protocols have it: a node
    crashes as a whole, by the first of them. What a layer delivers in such a step is not handed over.
    """

    name: str
    layers: tuple[Layer, ...]
    hand_overs: tuple[HandOver, ...]
    together: tuple[str, ...] = ("Crash", "Restart")
    openings: tuple[Opening, ...] = ()

    def layer(self, name: str) -> Layer:
        """The layer of that name. Raises KeyError if there is none."""
        return {layer.name: layer for layer in self.layers}[name]

    def faults(self) -> Iterator[str]:
        """What is wrong with the names of its layers, each in a sentence without its full stop."""
        names = [layer.name for layer in self.layers]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"two layers are called {name!r}"
        ends = [end for hand_over in self.hand_overs for end in (hand_over.source, hand_over.target)]
        for end in dict.fromkeys((*ends, *(opening.layer for opening in self.openings))):
            if end not in names:
                yield f"it has no layer {end!r}; its layers are: {', '.join(names)}"
        for hand_over in self.hand_overs:
            if hand_over.source == hand_over.target:
                yield f"the layer {hand_over.source!r} hands over to itself"
        for layer in self.layers:
            if len(names) > 1 and layer.name not in ends:
                yield f"nothing is handed over between the layer {layer.name!r} and the others"
        handed = [(hand_over.target, hand_over.command.get("kind")) for hand_over in self.hand_overs]
        for opening in self.openings:
            if (opening.layer, opening.command.get("kind")) in handed:
                yield f"both the application and a layer give {opening.command.get('kind')} to {opening.layer!r}"
        for kind in (*(hand_over.delivery for hand_over in self.hand_overs), *self._commands()):
            if not isinstance(kind.get("kind"), str):
                yield f"the pattern {msgspec.json.encode(kind).decode()} has no kind"

    def _commands(self) -> tuple[Pattern, ...]:
        given = (opening.command for opening in self.openings)
        return (*(hand_over.command for hand_over in self.hand_overs), *given)


def filled(pattern: Pattern, values: Mapping[str, Any]) -> Pattern:
    """The pattern with the values of a topic. Raises KeyError, with its name, if one is missing."""
    return {field: _filled(value, values) for field, value in pattern.items()}


def untopical(pattern: Pattern) -> Pattern:
    """The pattern without the fields that have values of topics."""
    return {field: value for field, value in pattern.items() if not _is_of_topic(value)}


def _is_of_topic(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("$")


def _filled(value: Any, values: Mapping[str, Any]) -> Any:
    return values[value[1:]] if _is_of_topic(value) else value
