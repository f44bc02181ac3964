"""The right tree is that of exactly the subscribers and the nodes on their routes; each conjunct can be false."""

from msgspec.structs import replace

from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.legitimacy import right_tree
from gomboc.spec.protocols.scribe.space import tree
from gomboc.spec.protocols.scribe.state import CRASHED, Child, Dead, Id, Leave, Node
from gomboc.spec.publishing.publications import Parameters, published

HOPS = {"o": "o", "p": "o", "q": "o", "s": "p", "t": "p"}
BITS = Parameters(key_bits=32)
OLD = published("s", 1, "", BITS)
RIGHT = tree(HOPS, ("s", "t"), (OLD,))
SWITCHED = configured(PROTOCOL, {"low": 2, "high": 4})


def faults(protocol=PROTOCOL, **changed):
    states = {name: replace(local, **changed.get(name, {})) for name, local in RIGHT.items()}
    return [fault.rule for fault in legitimacy_faults(protocol, states, ())]


def test_the_right_tree_is_that_of_the_owner_the_subscribers_and_the_nodes_on_their_routes():
    assert right_tree(tuple(HOPS.items()), ("s", "t")) == {
        "o": (Child("p", 2),),
        "p": (Child("s", 1), Child("t", 1)),
        "s": (),
        "t": (),
    }
    assert right_tree(tuple(HOPS.items()), ()) == {"o": ()}
    assert RIGHT["q"] == Node(False, "o")
    assert RIGHT["s"] == Node(True, "p", "p", publications=(OLD,), delivered=(Id("s", 1),))
    assert faults() == []


def test_the_owners_method_may_be_either_between_the_thresholds():
    assert faults(SWITCHED) == []
    assert faults(SWITCHED, o={"method": "broadcast"}) == []
    many = tree(HOPS, ("o", "p", "q", "s"))
    assert [fault.rule for fault in legitimacy_faults(SWITCHED, many, ())] == ["method_is_right"]
    many["o"] = replace(many["o"], method="broadcast")
    assert legitimacy_faults(SWITCHED, many, ()) == ()


def test_messages_to_crashed_nodes_are_harmless_and_so_is_the_report_of_a_crash():
    states = {**tree({**HOPS, "s": "o", "t": "o"}, ("s", "t")), "p": CRASHED}
    assert legitimacy_faults(PROTOCOL, states, (("p", Leave("s")), ("o", Dead("p")))) == ()


def test_a_publication_outside_the_overlay_waits_for_a_route():
    states = {**RIGHT, "q": Node(False, None, publications=(OLD,), pending=(OLD.key,))}
    assert [fault.rule for fault in premise_faults(PROTOCOL, states, ())] == ["publishers_have_routes"]
