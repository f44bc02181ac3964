"""Two subscribers compare their tries until they find the missing publications."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.exchange import asked, closest, exchange, nodes_of
from gomboc.checker.evidence.skip_ring.encodings.tries import (
    Exchange,
    Keys,
    SameHash,
    has,
    is_node,
    is_top,
    keys,
    missing,
    prefixes,
    read,
    same_child_labels,
    same_contents,
    words,
)
from gomboc.checker.prove.evaluate import evaluator
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.errata import printed_inner_hash
from gomboc.spec.publishing import comparison, trie
from gomboc.spec.publishing.exchange import answer, check_and_publish, compare
from gomboc.spec.publishing.publications import MOST_BITS
from gomboc.spec.publishing.trie import InnerHash, hash_of_children

LONGEST = 3
"""Keys have at most so many bits."""


def _tries(bits: int) -> tuple[Keys, Keys]:
    return keys(bits, "u"), keys(bits, "v")


def _read(bits: int, model: Model) -> Values:
    u, v = _tries(bits)
    return {"bits": bits, "u": read(model, u), "v": read(model, v)}


def _any(keys: Keys) -> Term:
    return z3.Or(*keys.values())


def _progress(same_hash: SameHash, both: bool = True) -> Iterator[Obligation]:
    """Some publication is sent; with both, either node may start, otherwise only u does."""
    for bits in range(1, LONGEST + 1):
        u, v = _tries(bits)
        from_u, from_v = Exchange(u, v, same_hash), Exchange(v, u, same_hash)
        sent = (*from_u.delivered, *from_v.delivered)
        only = _only_missing(sent, (missing(u, v), missing(v, u)))
        yield Obligation(f"{bits} bits: only missing publications are sent", only, (), partial(_read, bits))
        arrives = z3.Or(*(_any(keys) for keys in (sent if both else from_u.delivered)))
        differ = z3.Or(_any(missing(v, u)), _any(missing(u, v)))
        starts = z3.BoolVal(True) if both else has(u, "")
        yield Obligation(f"{bits} bits: something is sent", arrives, (differ, starts), partial(_read, bits))


def _to_v(premise: Callable[[Keys, Keys], Term], shortest: int = 1) -> Iterator[Obligation]:
    """If u has publications that v lacks, and the premise holds, one of both exchanges brings v some."""
    for bits in range(shortest, LONGEST + 1):
        u, v = _tries(bits)
        sent = Exchange(u, v, same_contents).delivered[1], Exchange(v, u, same_contents).delivered[0]
        arrives = z3.Or(*map(_any, sent))
        yield Obligation(f"{bits} bits", arrives, (_any(missing(v, u)), premise(u, v)), partial(_read, bits))


def _same_root(u: Keys, v: Keys) -> Term:
    labels = prefixes(len(next(iter(u))))
    return z3.Or(*(z3.And(is_top(u, "", label), is_top(v, "", label)) for label in labels))


def _replay_to_v(values: Values) -> Replayed:
    u, v = set(values["u"]), set(values["v"])
    arrived = exchange(u, v)[1] | exchange(v, u)[0]
    return Replayed("v is sent something", "v is sent something" if arrived else "v is sent nothing")


def _only_missing(sent: tuple[Keys, ...], lacking: tuple[Keys, Keys]) -> Term:
    """`sent` is to u and v as they are the first and the second of an exchange, so to u, v, v, u."""
    to_u, to_v = (sent[0], sent[3]), (sent[1], sent[2])
    pairs = [*((one, lacking[0]) for one in to_u), *((one, lacking[1]) for one in to_v)]
    return z3.And(*(z3.Implies(there, lack[key]) for one, lack in pairs for key, there in one.items()))


def _replay(inner: InnerHash, both: bool, values: Values) -> Replayed:
    u, v = set(values["u"]), set(values["v"])
    sent = (*exchange(u, v, inner), *(exchange(v, u, inner) if both else ()))
    return Replayed("something is sent", "something is sent" if any(sent) or u == v else "nothing is sent")


def _asked_for(v: Keys, node: str) -> Iterator[tuple[str, Term]]:
    """The prefixes that v may ask for when it is asked to check a node that it has not, and when it does."""
    for nearest in (word for word in prefixes(len(next(iter(v)))) if word.startswith(node) and word != node):
        yield node + ("1" if nearest[len(node)] == "0" else "0"), is_top(v, node, nearest)
    yield node, z3.Not(has(v, node))


def _minimal(bits: int, u: Keys, v: Keys, node: str) -> Term:
    """The p of Lemma 20: the shortest node of u's below which v has nothing."""
    lacking = {word: z3.And(is_node(u, word), z3.Not(has(v, word))) for word in prefixes(bits)}
    shorter = (lacks for word, lacks in lacking.items() if len(word) < len(node))
    return z3.And(lacking[node], z3.Not(z3.Or(*shorter)))


def _first_unknown(u: Keys, v: Keys, above: str, node: str) -> Term:
    """The t of Lemma 20: the shortest node of u's above p, or p itself, that v does not have."""
    shorter = (z3.And(is_node(u, node[:end]), z3.Not(is_node(v, node[:end]))) for end in range(len(above)))
    return z3.And(is_node(u, above), z3.Not(is_node(v, above)), z3.Not(z3.Or(*shorter)))


def _claim_22(literally: bool) -> Iterator[Obligation]:
    for bits in range(1, LONGEST + 1):
        u, v = _tries(bits)
        claims = []
        for node in prefixes(bits):
            for above in (node[:end] for end in range(len(node) + 1)):
                chosen = z3.And(_minimal(bits, u, v, node), _first_unknown(u, v, above, node))
                for prefix, asks in _asked_for(v, above):
                    useful = z3.And(has(u, prefix), z3.Not(has(v, prefix)))
                    right = z3.BoolVal(prefix == node) if literally else useful
                    claims.append(z3.Implies(z3.And(chosen, asks), right))
        yield Obligation(f"{bits} bits", z3.And(*claims), (), partial(_read, bits))


def _replay_claim_22(values: Values) -> Replayed:
    """For every choice of p and t, the prefix that v asks for, next to the label of p."""
    u, v = set(values["u"]), set(values["v"])
    nodes, mine = nodes_of(u), nodes_of(v)
    lacking = [label for label in nodes if closest(v, label) is None]
    least = [label for label in lacking if len(label) == len(lacking[0])]
    failures = []
    for label in least:
        unknown = next(node for node in nodes if label.startswith(node) and node not in mine)
        failures.append((label, asked(v, unknown)))
    return Replayed([(label, label) for label in least], failures)


HASHES: tuple[tuple[SameHash, InnerHash], ...] = (
    (same_contents, hash_of_children),
    (same_child_labels, printed_inner_hash),
)


@cache
def _encoded(bits: int) -> Callable[..., Any]:
    """Of keys of so many bits: the keys sent with either hash, the nodes of v's trie, and v's possible requests."""
    u, v = _tries(bits)
    sent = [there for same, _ in HASHES for arrived in Exchange(u, v, same).delivered for there in arrived.values()]
    tops = [is_top(v, label, node) for label in prefixes(bits) for node in _below(bits, label)]
    wanted = [term for label in prefixes(bits) for _, term in _asked_for(v, label)]
    return evaluator([*sent, *tops, *wanted], [*u.values(), *v.values()])


def _below(bits: int, label: str) -> list[str]:
    return [word for word in prefixes(bits) if word.startswith(label)]


def _agrees(random: Random) -> Sample:
    bits = random.randint(1, LONGEST)
    u, v = ({key for key in words(bits) if random.random() < share} for share in random.choices((0.2, 0.5, 0.8), k=2))
    results = iter(_encoded(bits)([key in held for held in (u, v) for key in words(bits)]))
    encoded = _named(bits, results)
    # With every bit written several times the tries have the same form, and their keys any length.
    times = random.randint(1, MOST_BITS // bits)
    return Sample((u, v, times), encoded, _plain(bits, times, *(_longer(held, times) for held in (u, v))))


def _named(bits: int, flags: Iterator[bool]) -> tuple[Any, ...]:
    sent = [{key for key in words(bits) if next(flags)} for _ in range(2 * len(HASHES))]
    tops = {label: [node for node in _below(bits, label) if next(flags)] for label in prefixes(bits)}
    v = keys(bits, "v")
    wanted = {label: [prefix for prefix, _ in _asked_for(v, label) if next(flags)] for label in prefixes(bits)}
    known = [label for label, below in tops.items() if label in below]
    return sent, tops, {label: prefix for label, prefix in wanted.items() if label not in known}


def _plain(bits: int, times: int, u: set[str], v: set[str]) -> tuple[Any, ...]:
    """The same by the specification's functions, of longer keys."""
    sent = [{key[::times] for key in arrived} for _, inner in HASHES for arrived in exchange(u, v, inner)]
    below = {label: closest(v, _stretched(label, times)) for label in prefixes(bits)}
    tops = {label: [] if node is None else [node[::times]] for label, node in below.items()}
    unknown = [label for label, parts in tops.items() if label not in parts]
    return sent, tops, {label: [asked(v, _stretched(label, times))[::times]] for label in unknown}


def _longer(held: set[str], times: int) -> set[str]:
    return {_stretched(key, times) for key in held}


def _stretched(word: str, times: int) -> str:
    return "".join(bit * times for bit in word)


BOUND = f"all pairs of sets of keys of 1 to {LONGEST} bits"
BY_HAND = "that exchanges, one after the other, end: the missing keys are finitely many, and fewer after each"
LEFT_OUT = (
    "longer keys; exchanges that overlap, and publications that come or are stored during one; false hashes, "
    "publications that `keep` drops, and nodes without a label"
)
TIED_TO = (
    compare,
    answer,
    comparison.answer,
    comparison.request,
    check_and_publish,
    trie.least_extension,
    trie.has_node,
    trie.children,
    trie.root,
)
LEMMAS = (
    Lemma(
        name="reconciliation_makes_progress",
        statement=Statement(
            "If u and v do not have the same publications, one of the exchanges that u and v start brings one of them "
            "some that it lacks, and neither brings a node anything else; so the number missing at both "
            "together decreases.",
            partial(_progress, same_contents),
            replay=partial(_replay, hash_of_children, True),
        ),
        source="Section 4.2; Lemma 20",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "... if only u starts one, even if u has publications",
                partial(_progress, same_contents, False),
                holds=False,
                replay=partial(_replay, hash_of_children, False),
            ),
            Statement(
                "... with the hash as the formula has it, of the children's labels and not of their hashes",
                partial(_progress, same_child_labels),
                holds=False,
                replay=partial(_replay, printed_inner_hash, True),
            ),
        ),
        by_hand=BY_HAND,
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="printed_claim_21",
        statement=Statement(
            "If u has publications that v lacks, one of the exchanges that u and v start brings v some of them.",
            partial(_to_v, lambda _u, _v: z3.BoolVal(True)),
            holds=False,
            replay=_replay_to_v,
        ),
        source="Lemma 20, with Claim 21: the case where k is even",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "It does once u lacks nothing that v has.",
                partial(_to_v, lambda u, v: z3.Not(_any(missing(u, v)))),
                replay=_replay_to_v,
            ),
            Statement(
                "It does if the roots of both tries have the same label.",
                partial(_to_v, _same_root, 2),
                replay=_replay_to_v,
            ),
        ),
        by_hand="nothing: z3 looks at one exchange from either side",
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="printed_claim_22",
        statement=Statement(
            "The prefix p' that v asks for is the label of the shortest node of u's trie below which v has nothing.",
            partial(_claim_22, True),
            holds=False,
            replay=_replay_claim_22,
        ),
        source="Claim 22",
        ranges_over=BOUND,
        contrasts=(Statement("u has publications with the prefix p', and v has none.", partial(_claim_22, False)),),
        by_hand="nothing: z3 looks at one request",
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
)
