"""Canonical form of states where fields depend on one another; the rest is declared with each field."""

from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.state import Command, Message, Node
from gomboc.spec.derived import Derived
from gomboc.spec.fields import Holds


def _in_node(parameters: Parameters, local: Node) -> str | None:
    del parameters
    kept = Node("failed", local.incarnation, local.known, own=local.own)
    if local.status == "failed" and local != kept:
        return "nothing but the incarnation, the tree and the own client's subscriptions in a failed broker"
    if local.status == "detached" and local != Node("detached"):
        return "no variables in a broker outside"
    return None


FIELDS = Derived(Node, Message, Command, relations={Node: Holds(_in_node)})
"""The brokers that values name, their faults, and their renaming."""
