"""The rule for each input: a pure function of a node's name, its state and the input."""

from msgspec.structs import replace

from gomboc.spec import Choice, Cited, Input, Outcome, Received, Send, Timeout
from spanning_tree.spec.state import ROOT, Node, Register, Write

SOURCE = "Dolev 2000, Section 2.5"


def react(me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
    """The outcome of a step. Raises ValueError if there is no rule for the input."""
    del choice
    match taken:
        case Timeout():
            return write(me, local)
        case Received(Write(sender, distance)):
            return read(local, sender, distance)
    raise ValueError(f"{me} has no rule for {taken}")


def write(me: str, local: Node) -> Outcome:
    """The root is at distance 0; another node is one further than the first of its nearest neighbours. All hear of it.

    Source: Dolev 2000, Section 2.5
    """
    placed = place(me, local)
    return Outcome(placed, tuple(Send(each.neighbour, Write(me, placed.distance)) for each in local.registers))


def place(me: str, local: Node) -> Node:
    """The node with its distance and parent computed anew from its registers."""
    if me == ROOT:
        return replace(local, distance=0, parent=None)
    nearest = nearest_of(local)
    if nearest is None:
        return replace(local, parent=None)
    return replace(local, distance=nearest.distance + 1, parent=nearest.neighbour)


def nearest_of(local: Node) -> Register | None:
    """The first register with the least distance; None for a node without neighbours."""
    return min(local.registers, key=lambda register: register.distance, default=None)


def read(local: Node, sender: str, distance: int) -> Outcome:
    """The register of the sender holds that distance. A message from a node that is no neighbour has no effect.

    Source: Dolev 2000, Section 2.5
    """
    registers = (Register(sender, distance) if each.neighbour == sender else each for each in local.registers)
    return Outcome(replace(local, registers=tuple(registers)))


def only_shorter(me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
    """A mistake, to be found: a node takes a distance only if it is less than its own."""
    placed = place(me, local)
    if me != ROOT and isinstance(taken, Timeout) and placed.distance >= local.distance:
        sends = tuple(Send(each.neighbour, Write(me, local.distance)) for each in local.registers)
        return Outcome(local, sends)
    return react(me, local, taken, choice)


def rule(local: Node, taken: Input) -> Cited:
    """The name of the rule for an input, and its source. Raises KeyError if there is none."""
    del local
    names: dict[type, str] = {Timeout: "write", Write: "read"}
    return Cited(names[type(taken.message if isinstance(taken, Received) else taken)], SOURCE)
