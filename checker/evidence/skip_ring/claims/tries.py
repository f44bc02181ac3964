"""Claims of Section 4.2 on the hashes of tries, settled on a model of tries over keys of a few bits."""

from msgspec.structs import replace

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.errata.scene import Scene, Script, Stage, Turn, delivery, opening, take, timeout
from gomboc.checker.evidence.skip_ring.experiments.ring import right_states
from gomboc.checker.evidence.skip_ring.experiments.tries import BITS, End, Formula, ends, forest, keys_of
from gomboc.spec.core.protocol import Protocol, Start, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.space import names, roles
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Parameters

MODEL = (
    "A model of its own: all sets of keys of 3 bits that are not empty, ideal hashes, Algorithm 5 between two "
    "subscribers that initiate in turn, messages handled in the order in which they were sent. Every session of two "
    "subscribers of the specification ends where it ends in the model, with either formula (a test compares them all)."
)

HASHES = "printed_hashes"
PARAMETERS = {"key_bits": BITS}
ROUNDS = 3


def alike() -> Start:
    """SR(2), where v1 holds the keys 000, 010, 100 and v2 holds 001, 010, 100."""
    every = sorted(universe(names(2), 2**BITS, Parameters(BITS)))
    keys = {"v1": ("000", "010", "100"), "v2": ("001", "010", "100")}
    stores = {
        node: tuple(publication for publication in every if publication.key in held) for node, held in keys.items()
    }
    states = right_states(2) | {
        node: replace(right_states(2)[node], publications=store) for node, store in stores.items()
    }
    return Start(roles(2), tuple(sorted(states.items())))


def printed_hashes() -> Protocol:
    """The protocol that hashes the labels of child nodes."""
    protocol = configured(PROTOCOL, PARAMETERS)
    (variant,) = (erratum.protocol for erratum in protocol.variants.errata if erratum.name == HASHES)
    return variant


def turns_of_round(stage: Stage) -> tuple[Turn, ...]:
    """A round: everything in flight is delivered in order, then every node times out, and no coin says ask."""
    deliveries = tuple(delivery(node, message) for node, message in stage.in_flight)
    return (*deliveries, timeout(SUPERVISOR), timeout("v1", "silent v2"), timeout("v2", "silent v1"))


def rounds_in_vain() -> Script:
    """Some rounds, in each of which both send the other their root."""
    stage, turns = opening(alike()), list[Turn]()
    for _ in range(ROUNDS):
        for turn in turns_of_round(stage):
            stage = take(printed_hashes(), stage, turn)
            turns.append(turn)
    return Script(alike(), tuple(turns), ROUNDS)


VAIN = Scene(
    "tries_that_look_alike",
    "two subscribers with the printed hashes compare their roots in every round, and neither notices that they differ",
    rounds_in_vain,
    HASHES,
    1,
    PARAMETERS,
)


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
            "children": _children(smallest[0]),
        },
        {
            "with two bits and fewer the formula does no harm": not any(smaller),
            "where tries stay different, their roots look alike": all(
                _root(end.one) == _root(end.other) for end in printed.values()
            ),
        },
    )


def _root(number: int) -> tuple[str, int]:
    trie = forest(BITS, Formula.OF_LABELS)[number]
    assert trie is not None, "the set is not empty"
    return trie.root.label, trie.root.hash


def _children(number: int) -> list[str]:
    trie = forest(BITS, Formula.OF_LABELS)[number]
    assert trie is not None, "the set is not empty"
    return [child.label for child in trie.root.children]


CLAIMS = (
    Claim(
        name="section_4_2_hash_formula",
        title="equal hashes mean equal subtries",
        source="Section 4.2, the formula for t.hash",
        says="\"t.hash is defined as the hash of the concatenation of the hashes of t's child nodes, i.e., t.hash := "
        'h(h(c1(t).label) o h(c2(t).label))"; and equal hashes mean equal sets of publications below (case i).',
        ran="Algorithm 5 as printed, with either formula (variant printed_hashes is that with the printed one).",
        result=Result.DEPENDS,
        why="The sentence and its formula differ. The formula hashes the labels of the child nodes, so that a "
        "difference two levels further down does not show in it. With the formula, {printed} of {total} ordered "
        "pairs of different tries ({share}) never become equal, however often both initiate: they end with roots "
        "that look alike, so that no message follows any more ({stuck} of them begin so). With the sentence (the "
        "hashes of the child nodes) it is {sentence}: every pair becomes equal.",
        evidence=tries_are_reconciled,
        scenes=(VAIN,),
        counterexample="One has {one}, the other {other}: either root has the children {children}. With keys of one "
        "or two bits the formula does no harm.",
        instead="The sentence; leaves and inner nodes hashed in two different ways, so that one cannot pass for the "
        "other.",
        readings=(
            Reading("By the sentence: the hash of the hashes of the child nodes.", Result.REPRODUCED),
            Reading("By its formula: the hash of the hashes of their labels.", Result.REFUTED),
        ),
        reading="The sentence and its formula say two things.",
        about=MODEL,
        quotes=(
            Quotation(
                "Section 4.2",
                "If t is an inner node, then t.hash is defined as the hash of the concatenation of the hashes of"
                " t's child nodes, i.e., t.hash := h(h(c_1(t).label) o h(c_2(t).label)).",
            ),
        ),
    ),
)
