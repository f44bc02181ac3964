"""The premise of convergence: links go both ways, and the root reaches every node."""

from collections.abc import Mapping
from typing import Any

from gomboc.spec import Fault
from spanning_tree.spec.legitimacy import SOURCE, anchor, neighbours


def premise_faults(states: Mapping[str, Any], in_flight: tuple[tuple[str, Any], ...]) -> tuple[Fault, ...]:
    """`links_are_mutual`, `root_reaches_all`."""
    del in_flight
    links = {name: neighbours(local) or () for name, local in states.items()}
    reached = anchor(links).distances()
    one_way = [(name, other) for name, others in links.items() for other in others if name not in links.get(other, ())]
    return (
        *(Fault("links_are_mutual", name, "a link both ways", other, SOURCE) for name, other in one_way),
        *(
            Fault("root_reaches_all", name, "a path from the root", None, SOURCE)
            for name in links
            if name not in reached
        ),
    )
