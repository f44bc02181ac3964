"""Instances that the table-driven explorer supports; importable without the packages that it needs."""

from gomboc.checker.explore.questions.rounds import is_by_rounds
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.protocol import Discipline


def why_not_tables(instance: Instance) -> str:
    """The property of an instance that the table-driven explorer does not support, as text; empty if there is none."""
    protocol = instance.protocol
    if protocol.discipline is Discipline.FIFO:
        return "knows no channels that keep an order"
    if protocol.discipline is Discipline.ROUNDS and not protocol.actor.commuting:
        return f"takes whole rounds as single steps, and the receipts of {protocol.name} do not commute"
    if any(observer.whole for observer in protocol.promises.observers):
        return "knows no promise over what all nodes together deliver"
    if len(instance.alike) < 2:
        return ""
    if is_by_rounds(instance):
        return "takes no two nodes for alike where a step is a whole round"
    if protocol.promises.always or protocol.promises.observers or instance.budget:
        return f"takes no two nodes for alike, since {protocol.name} states more than steps and legitimacy"
    return ""
