"""The toy with one more declaration each: sleeping nodes, the anchor's share, assumptions, promises and names."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.model import Fault, InFlight
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Protocol
from tests.checker.replay.kernel.telling import PROTOCOLS
from tests.toys.words import spec as toy

SLEEPING = "mad"


def fault(rule: Any, node: str = "") -> tuple[Any, ...]:
    return (Fault(rule, node, "", "", "Section 8"),)


def words(states: Mapping[str, Any], in_flight: InFlight = ()) -> Any:
    """The words of all nodes and messages; values that are not even words are skipped."""
    said = [state.text for state in states.values()] + [message.text for _, message in in_flight]
    assert all(said)
    return said


def sleepy(protocol: Protocol) -> Any:
    """A mad node is asleep, though it goes on as before."""
    return replace(protocol, asleep=lambda local: local.text == SLEEPING)


def sharing(protocol: Protocol) -> Any:
    """The authority is whether most nodes say good; the share of a node is only this."""
    return replace(protocol, share=_share, anchor=_agreed)


def _share(local: Any) -> bool:
    assert local.text
    return local.text == "good"


def _agreed(shares: Mapping[str, Any]) -> str:
    return "good" if 2 * sum(shares.values()) >= len(shares) else "bad"


def peeking(protocol: Protocol) -> Any:
    """The same, but it looks at one node after another and stops early."""
    return replace(protocol, share=_share, anchor=_first_good)


def _first_good(shares: Mapping[str, Any]) -> str:
    return "good" if next((name for name in sorted(shares) if shares[name]), None) in {"a", "b"} else "bad"


def quiet(protocol: Protocol) -> Any:
    """Commands leave the promises unchanged."""
    return replace(protocol, quiet=(toy.Say,))


def presuming(protocol: Protocol) -> Any:
    """Convergence is promised only if no node and no message is mad at first."""
    return replace(protocol, premise=_no_node_is_mad)


def _no_node_is_mad(states: Mapping[str, Any], in_flight: InFlight) -> Any:
    return fault("no_node_is_mad", "b") if "mad" in words(states, in_flight) else ()


def whispering(protocol: Protocol) -> Any:
    """The same, and commands are quiet: one that ends the premise is noticed."""
    return quiet(presuming(protocol))


def idling(protocol: Protocol) -> Any:
    """A command that has no effect is quiet."""
    return replace(protocol, quiet_if_idle=(toy.Say,))


def obeying(protocol: Protocol) -> Any:
    """Nothing is promised once a command has led to two that say bad; a start may have them."""
    return replace(protocol, commands_assumption=_few_are_bad)


def assuming(protocol: Protocol) -> Any:
    """Nothing is promised once two say bad."""
    return replace(protocol, assumption=_few_are_bad)


def _few_are_bad(states: Mapping[str, Any], in_flight: InFlight) -> Any:
    return fault("few_are_bad") if words(states, in_flight).count("bad") > 1 else ()


def connecting(protocol: Protocol) -> Any:
    """A node that says bad knows no other, one that says good knows the next one; a message tells its
    target of a node.
    """
    return replace(protocol, edges=_edges)


def _edges(node: str, value: Any) -> tuple[Any, ...]:
    assert value.text
    return () if value.text == "bad" else ((node, {"good": toy.TELLS.get(node, "a"), "mad": "a"}[value.text]),)


def promising(protocol: Protocol) -> Any:
    """Two promises over states."""
    everybody = Always("some_node_is_good", "Section 9", _some_node_is_good)
    return replace(protocol, always=(everybody, Always("not_crowded", "Section 9", _not_crowded)))


def _some_node_is_good(states: Mapping[str, Any], in_flight: InFlight) -> Any:
    return () if "good" in words(states) else fault("nobody", next(iter(states)))


def _not_crowded(states: Mapping[str, Any], in_flight: InFlight) -> Any:
    return fault("crowded", in_flight[0][0]) if len(words({}, in_flight)) > 3 else ()


def glancing(protocol: Protocol) -> Any:
    """The same two promises, each with its own projection."""
    good, crowded = promising(protocol).always
    return replace(
        protocol,
        always=(
            replace(good, projection=lambda word: word.text == "good"),
            replace(crowded, projection=lambda word: word.text or None),
        ),
    )


def observing(protocol: Protocol) -> Any:
    """No node delivers bad after mad, and no node delivers the same three times in a row."""
    return replace(
        protocol,
        observers=(
            Observer("never_worse", "Section 10", "", _never_worse),
            Observer("not_boring", "Section 10", (), _not_boring),
            Observer("not_boring_together", "Section 10", (), _not_boring, whole=True),
        ),
    )


def _never_worse(node: str, seen: Any, delivered: Any) -> tuple[Any, ...]:
    worse = (seen, delivered) == ("mad", "bad")
    return delivered, fault("worse", node) if worse else ()


def _not_boring(node: str, seen: Any, delivered: Any) -> tuple[Any, ...]:
    seen = (*seen, delivered)[-3:]
    return seen, fault("boring", node) if len(seen) == 3 and len(set(seen)) == 1 else ()


def naming(protocol: Protocol) -> Any:
    """A value mad names c, and a value bad names b; in a trace of two nodes, c is unknown."""
    return replace(protocol, named=_named)


def _named(value: Any) -> Any:
    assert value.text
    return {"good": ("a", "b"), "bad": ("b",), "mad": ("a", "c")}[value.text]


def everything(protocol: Protocol) -> Any:
    """All of it at once."""
    for kind in (sleepy, sharing, presuming, assuming, connecting, promising, observing, naming):
        protocol = kind(protocol)
    return protocol


def named(kind: Any, protocol: Protocol) -> Any:
    return replace(kind(protocol), name=f"{protocol.name}_{kind.__name__}")


UNORDERED, FIFO, ROUNDS = PROTOCOLS
STATING = tuple(
    named(kind, UNORDERED)
    for kind in (
        *(sharing, peeking, quiet, presuming, whispering, idling, obeying, assuming, connecting, promising, glancing),
        *(observing, naming),
    )
) + tuple(named(kind, protocol) for kind in (sleepy, everything) for protocol in PROTOCOLS)
