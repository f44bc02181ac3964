"""Publications of SR(2): tries that look alike or agree, disturbances of them, keys, and the empty trie."""

from typing import Any

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.scene import Script, Stage, Turn, delivery, last, opening, take, timeout
from gomboc.checker.evidence.skip_ring.experiments.ring import right_states, ring
from gomboc.checker.evidence.skip_ring.experiments.tries import BITS, End, Formula, Node, ends, forest, keys_of
from gomboc.spec.core.model import Send
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Subscriber
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish, check_trie
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters, Publication, key_of, published
from gomboc.spec.publishing.trie import Summary, hash_of_children, hash_of_label

BITS_OF_KEYS, ROUNDS, IN_VAIN = 64, 6, 3

LIMITS = Parameters(BITS_OF_KEYS)
HELD, NEWS = published("v1", 0, "", LIMITS), published("v2", 0, "", LIMITS)
ARRIVING = "v2", Publish((NEWS,))


def holding(*in_flight: tuple[str, Any], **held: tuple[Publication, ...]) -> Start:
    """SR(2), where the nodes hold these publications."""
    known = right_states(2)
    return ring(2, *in_flight, **{node: replace(known[node], publications=store) for node, store in held.items()})


def turns_of_round(stage: Stage) -> tuple[Turn, ...]:
    """A round: everything in flight is delivered in order, then every node times out, and no coin says ask."""
    deliveries = tuple(delivery(node, message) for node, message in stage.in_flight)
    return (*deliveries, timeout(SUPERVISOR), timeout("v1", "silent v2"), timeout("v2", "silent v1"))


def quiet_rounds(protocol: Protocol, script: Script, count: int, bound: int | None = None) -> Script:
    """The script, and so many rounds in which no coin says ask."""
    stage, turns = last(protocol, script), list(script.turns)
    for _ in range(count):
        for turn in turns_of_round(stage):
            stage = take(protocol, stage, turn)
            turns.append(turn)
    return Script(script.start, tuple(turns), bound)


def rounds_in_vain() -> Script:
    """Some rounds with the printed hashes, in each of which both send the other their root."""
    every = sorted(universe(names(2), 2**BITS, Parameters(BITS)))
    keys = {"v1": ("000", "010", "100"), "v2": ("001", "010", "100")}
    alike = holding(**{node: tuple(one for one in every if one.key in held) for node, held in keys.items()})
    protocol = variant(configured(PROTOCOL, {"key_bits": BITS}), "printed_hashes")
    return quiet_rounds(protocol, Script(alike, ()), IN_VAIN, IN_VAIN)


def unreconciled(bits: int, formula: Formula) -> dict[tuple[int, int], End]:
    """Every ordered pair of different tries that stays different, with where it ends."""
    return {pair: end for pair, end in ends(bits, formula).items() if end.one != end.other}


def tries_are_reconciled() -> Evidence:
    """Both formulas on every ordered pair."""
    printed, sentence = unreconciled(BITS, Formula.OF_LABELS), unreconciled(BITS, Formula.OF_HASHES)
    smaller = [len(unreconciled(bits, Formula.OF_LABELS)) for bits in range(1, BITS)]
    stuck = [pair for pair, end in printed.items() if pair == (end.one, end.other)]
    smallest = min(stuck, key=lambda pair: (pair[0].bit_count() + pair[1].bit_count(), pair))
    total = len(ends(BITS, Formula.OF_LABELS))
    return by_readings(
        (settled(not sentence), settled(not printed)),
        {
            "total": total,
            "printed": len(printed),
            "share": f"{100 * len(printed) / total:.1f} %",
            "stuck": len(stuck),
            "sentence": len(sentence),
            "one": list(keys_of(smallest[0], BITS)),
            "other": list(keys_of(smallest[1], BITS)),
            "children": [child.label for child in _root(smallest[0]).children],
        },
        {
            "with two bits and fewer the formula does no harm": not any(smaller),
            "where tries stay different, their roots look alike": all(
                len({(root.label, root.hash) for root in map(_root, (end.one, end.other))}) == 1
                for end in printed.values()
            ),
        },
    )


def _root(number: int) -> Node:
    trie = forest(BITS, Formula.OF_LABELS)[number]
    assert trie is not None, "the set is not empty"
    return trie.root


def agreeing(*in_flight: tuple[str, Any]) -> Start:
    """SR(2), both with the same publication."""
    return holding(*in_flight, v1=(HELD,), v2=(HELD,))


def disturbed() -> Script:
    """The same; a Publish with another publication arrives at v2, and in some rounds v1 gets it too."""
    arrived = Script(agreeing(ARRIVING), (delivery(*ARRIVING),))
    return quiet_rounds(configured(PROTOCOL, {"key_bits": BITS_OF_KEYS}), arrived, ROUNDS)


def tries_are_not_modified() -> Evidence:
    """That Publish in flight: whether it changes a trie; and rounds without it."""
    protocol, calm = configured(PROTOCOL, {"key_bits": BITS_OF_KEYS}), agreeing()
    end = last(protocol, quiet_rounds(protocol, Script(calm, ()), ROUNDS))
    after = last(protocol, Script(agreeing(ARRIVING), (delivery(*ARRIVING),)))
    kept = all(end.states[node].publications == (HELD,) for node in ("v1", "v2"))
    return by_readings(
        (settled(kept), settled(after.states["v2"].publications == (HELD,))),
        {"rounds": ROUNDS},
        {
            "without the message the state is legitimate": opening(calm).is_legitimate(protocol),
            "afterwards v2 holds two publications, and v1 one": [
                len(after.states[node].publications) for node in ("v2", "v1")
            ]
            == [2, 1],
        },
    )


def keys_are_unique() -> Evidence:
    """The same payload by the same publisher, twice: whether the keys differ."""
    requested = (("v1", "hello"), ("v1", "hello"), ("v2", "hello"), ("v1", "goodbye"))
    pairs, ours = set(requested), {key_of("v1", number, "hello", 64) for number in (0, 1)}
    by_content = {key_of(publisher, 0, content, 64) for publisher, content in pairs}
    return by_readings(
        (settled(len(by_content) == len(pairs)), settled(len(by_content) == len(requested))), {"ours": len(ours)}
    )


def every_trie_has_a_root() -> Evidence:
    """The trie of no publication; and the answer of a node with it to a neighbour that has one."""
    check = CheckTrie("v", (Summary("101", hash_of_label("101")),))
    outcome = check_trie(Subscriber("0"), "u", check, hash_of_children)
    return Evidence(
        settled(all(trie is not None for trie in forest(BITS, Formula.OF_HASHES))),
        {},
        {
            "a node with an empty trie answers a check with a request for all that the sender has": outcome.sends
            == (Send("v", CheckAndPublish("u", (), "101")),)
        },
    )
