"""The protocol spanning_tree: each node finds its distance from the root, and its parent in a breadth-first tree."""

from functools import partial

from gomboc.spec import Actor, Discipline, Erratum, Legitimacy, Naming, Promises, Protocol, Starts, Vocabulary
from spanning_tree.spec import legitimacy
from spanning_tree.spec.premise import premise_faults
from spanning_tree.spec.rules import only_shorter, react, rule
from spanning_tree.spec.space import bound, space, start
from spanning_tree.spec.state import FIELDS, ROOT, Node, Write

PROTOCOL = Protocol(
    name="spanning_tree",
    discipline=Discipline.UNORDERED,
    vocabulary=Vocabulary(roles={"root": Node, "node": Node}, member="node", message=Write, fixed={ROOT: "root"}),
    actor=Actor(react=react, rule=rule),
    legitimacy=Legitimacy(
        anchor=legitimacy.anchor,
        node_faults=legitimacy.node_faults,
        message_faults=legitimacy.message_faults,
        share=legitimacy.neighbours,
        defined=legitimacy.SOURCE,
    ),
    starts=Starts(space=space, start=start, bound=bound),
    promises=Promises(premise=premise_faults, projection=legitimacy.neighbours),
    naming=Naming(malformed=partial(FIELDS.malformed, None), named=FIELDS.named, renamed=FIELDS.renamed),
)
MISTAKE = PROTOCOL.changed(react=only_shorter)
PROTOCOL = PROTOCOL.changed(errata=(Erratum("only_shorter", "convergence", "ours, a negative control", MISTAKE),))
