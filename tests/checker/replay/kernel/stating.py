"""The toy with one more declaration each: sleeping nodes, the anchor's share, assumptions, promises and names."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Fault, InFlight
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Protocol
from tests.checker.replay.kernel.telling import PROTOCOLS
from tests.toys.words import spec as toy

Faults = tuple[Fault, ...]
States = Mapping[str, Any]

SLEEPING = "mad"


def fault(rule: str, node: str = "") -> Faults:
    return (Fault(rule, node, "", "", "Section 8"),)


def words(states: States, in_flight: InFlight = ()) -> list[str]:
    """The words of all nodes and messages; values that are not even words are skipped."""
    said = [state.text for state in states.values()] + [message.text for _, message in in_flight]
    assert all(said)
    return said


def sleepy(protocol: Protocol) -> Protocol:
    """A mad node is asleep, though it goes on as before."""
    return protocol.changed(asleep=lambda local: local.text == SLEEPING)


def sharing(protocol: Protocol) -> Protocol:
    """The authority is whether most nodes say good; the share of a node is only this."""
    return protocol.changed(share=_share, anchor=_agreed)


def _share(local: toy.Word) -> bool:
    assert local.text
    return local.text == "good"


def _agreed(shares: Mapping[str, bool]) -> str:
    return "good" if 2 * sum(shares.values()) >= len(shares) else "bad"


def peeking(protocol: Protocol) -> Protocol:
    """The same, but it looks at one node after another and stops early."""
    return protocol.changed(share=_share, anchor=_first_good)


def _first_good(shares: Mapping[str, bool]) -> str:
    return "good" if next((name for name in sorted(shares) if shares[name]), None) in {"a", "b"} else "bad"


def quiet(protocol: Protocol) -> Protocol:
    """Commands leave the promises unchanged."""
    return protocol.changed(quiet=(toy.Say,))


def presuming(protocol: Protocol) -> Protocol:
    """Convergence is promised only if no node and no message is mad at first."""
    return protocol.changed(premise=_no_node_is_mad)


def _no_node_is_mad(states: States, in_flight: InFlight) -> Faults:
    return fault("no_node_is_mad", "b") if "mad" in words(states, in_flight) else ()


def whispering(protocol: Protocol) -> Protocol:
    """The same, and commands are quiet: one that ends the premise is noticed."""
    return quiet(presuming(protocol))


def idling(protocol: Protocol) -> Protocol:
    """A command that has no effect is quiet."""
    return protocol.changed(quiet_if_idle=(toy.Say,))


def obeying(protocol: Protocol) -> Protocol:
    """Nothing is promised once a command has led to two that say bad; a start may have them."""
    return protocol.changed(commands_assumption=_few_are_bad)


def reporting(protocol: Protocol) -> Protocol:
    """Nothing is promised once a node that says mad is told bad."""
    return protocol.changed(misreports=_no_mad_node_is_told_bad)


def _no_mad_node_is_told_bad(states: States, node: str, command: toy.Say) -> Faults:
    is_wrong = states[node].text == "mad" and command.text == "bad"
    return fault("no_mad_node_is_told_bad", node) if is_wrong else ()


def assuming(protocol: Protocol) -> Protocol:
    """Nothing is promised once two say bad."""
    return protocol.changed(assumption=_few_are_bad)


def _few_are_bad(states: States, in_flight: InFlight) -> Faults:
    return fault("few_are_bad") if words(states, in_flight).count("bad") > 1 else ()


def connecting(protocol: Protocol) -> Protocol:
    """A node that says bad knows no other, one that says good knows the next one; a message tells its
    target of a node.
    """
    return protocol.changed(edges=_edges)


def _edges(node: str, value: toy.Word) -> tuple[tuple[str, str], ...]:
    assert value.text
    return () if value.text == "bad" else ((node, {"good": toy.TELLS.get(node, "a"), "mad": "a"}[value.text]),)


def promising(protocol: Protocol) -> Protocol:
    """Two promises over states."""
    everybody = Always("some_node_is_good", "Section 9", _some_node_is_good)
    return protocol.changed(always=(everybody, Always("not_crowded", "Section 9", _not_crowded)))


def _some_node_is_good(states: States, in_flight: InFlight) -> Faults:
    return () if "good" in words(states) else fault("nobody", next(iter(states)))


def _not_crowded(states: States, in_flight: InFlight) -> Faults:
    return fault("crowded", in_flight[0][0]) if len(words({}, in_flight)) > 3 else ()


def glancing(protocol: Protocol) -> Protocol:
    """The same two promises, each with its own projection."""
    good, crowded = promising(protocol).promises.always
    return protocol.changed(
        always=(
            replace(good, projection=lambda word: word.text == "good"),
            replace(crowded, projection=lambda word: word.text or None),
        )
    )


def observing(protocol: Protocol) -> Protocol:
    """No node delivers bad after mad, and no node delivers the same three times in a row."""
    return protocol.changed(
        observers=(
            Observer("never_worse", "Section 10", "", _never_worse),
            Observer("not_boring", "Section 10", (), _not_boring),
            Observer("not_boring_together", "Section 10", (), _not_boring, whole=True),
        )
    )


def _never_worse(node: str, seen: Any, delivered: Any) -> tuple[Any, Faults]:
    worse = (seen, delivered) == ("mad", "bad")
    return delivered, fault("worse", node) if worse else ()


def _not_boring(node: str, seen: Any, delivered: Any) -> tuple[Any, Faults]:
    seen = (*seen, delivered)[-3:]
    return seen, fault("boring", node) if len(seen) == 3 and len(set(seen)) == 1 else ()


def naming(protocol: Protocol) -> Protocol:
    """A value mad names c, and a value bad names b; in a trace of two nodes, c is unknown."""
    return protocol.changed(named=_named)


def _named(value: toy.Word) -> tuple[str, ...]:
    assert value.text
    return {"good": ("a", "b"), "bad": ("b",), "mad": ("a", "c")}[value.text]


def everything(protocol: Protocol) -> Protocol:
    """All of it at once."""
    for kind in (sleepy, sharing, presuming, assuming, connecting, promising, observing, naming):
        protocol = kind(protocol)
    return protocol


def named(kind: Callable[[Protocol], Protocol], protocol: Protocol) -> Protocol:
    return replace(kind(protocol), name=f"{protocol.name}_{kind.__name__}")


UNORDERED, FIFO, ROUNDS = PROTOCOLS
STATING = tuple(
    named(kind, UNORDERED)
    for kind in (
        *(sharing, peeking, quiet, presuming, whispering, idling, obeying, assuming, connecting, promising, glancing),
        *(observing, naming),
    )
) + tuple(named(kind, protocol) for kind in (sleepy, everything) for protocol in PROTOCOLS)
