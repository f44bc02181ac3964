"""Two subscribers compare their tries until they find the missing publications."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.exchange import asked, closest, exchange, nodes_of
from gomboc.checker.evidence.skip_ring.encodings.tries import (
    Exchange,
    Keys,
    SameHash,
    bits_of,
    has,
    is_node,
    is_top,
    keys,
    missing,
    prefixes,
    same_child_labels,
    same_contents,
    words,
)
from gomboc.checker.evidence.skip_ring.encodings.tries import read as read_keys
from gomboc.checker.prove.evaluate import evaluator
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring.errata import printed_inner_hash
from gomboc.spec.publishing import comparison, trie
from gomboc.spec.publishing.exchange import answer, check_and_publish, compare
from gomboc.spec.publishing.publications import MOST_BITS
from gomboc.spec.publishing.trie import InnerHash, hash_of_children

LONGEST = 3
"""Keys have at most so many bits."""


def _tries(bits: int) -> tuple[Keys, Keys]:
    return keys(bits, "u"), keys(bits, "v")


Said = tuple[str, Term, tuple[Term, ...]]
"""A part of a title, a claim, and what it supposes."""


def _of_tries(said: Callable[[Keys, Keys], Iterable[Said]], shortest: int = 1) -> Iterator[Obligation]:
    """The obligations that something holds of any two tries of each length of keys."""
    for bits in range(shortest, LONGEST + 1):
        u, v = _tries(bits)

        def read(model: Model, bits: int = bits, u: Keys = u, v: Keys = v) -> Values:
            return {"bits": bits, "u": read_keys(model, u), "v": read_keys(model, v)}

        yield from (Obligation(f"{bits} bits{title}", claim, given, read) for title, claim, given in said(u, v))


def _any(keys: Keys) -> Term:
    return z3.Or(*keys.values())


def _progress(same_hash: SameHash, both: bool, u: Keys, v: Keys) -> Iterator[Said]:
    """Some publication is sent; with both, either node may start, otherwise only u does."""
    from_u, from_v = Exchange(u, v, same_hash), Exchange(v, u, same_hash)
    sent = (*from_u.delivered, *from_v.delivered)
    yield ": only missing publications are sent", _only_missing(sent, (missing(u, v), missing(v, u))), ()
    arrives = z3.Or(*(_any(keys) for keys in (sent if both else from_u.delivered)))
    differ = z3.Or(_any(missing(v, u)), _any(missing(u, v)))
    yield ": something is sent", arrives, (differ, z3.BoolVal(True) if both else has(u, ""))


def _to_v(premise: Callable[[Keys, Keys], Term], u: Keys, v: Keys) -> Iterator[Said]:
    """If u has publications that v lacks, and the premise holds, one of both exchanges brings v some."""
    sent = Exchange(u, v, same_contents).delivered[1], Exchange(v, u, same_contents).delivered[0]
    yield "", z3.Or(*map(_any, sent)), (_any(missing(v, u)), premise(u, v))


def _same_root(u: Keys, v: Keys) -> Term:
    return z3.Or(*(z3.And(is_top(u, "", label), is_top(v, "", label)) for label in prefixes(bits_of(u))))


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
    for nearest in (word for word in prefixes(bits_of(v)) if word.startswith(node) and word != node):
        yield node + ("1" if nearest[len(node)] == "0" else "0"), is_top(v, node, nearest)
    yield node, z3.Not(has(v, node))


def _minimal(u: Keys, v: Keys, node: str) -> Term:
    """The p of Lemma 20: the shortest node of u's below which v has nothing."""
    lacking = {word: z3.And(is_node(u, word), z3.Not(has(v, word))) for word in prefixes(bits_of(u))}
    shorter = (lacks for word, lacks in lacking.items() if len(word) < len(node))
    return z3.And(lacking[node], z3.Not(z3.Or(*shorter)))


def _first_unknown(u: Keys, v: Keys, above: str) -> Term:
    """The t of Lemma 20: the shortest node of u's above p, or p itself, that v does not have."""
    shorter = (z3.And(is_node(u, above[:end]), z3.Not(is_node(v, above[:end]))) for end in range(len(above)))
    return z3.And(is_node(u, above), z3.Not(is_node(v, above)), z3.Not(z3.Or(*shorter)))


def _claim_22(literally: bool, u: Keys, v: Keys) -> Iterator[Said]:
    claims = []
    for node in prefixes(bits_of(u)):
        for above in (node[:end] for end in range(len(node) + 1)):
            chosen = z3.And(_minimal(u, v, node), _first_unknown(u, v, above))
            for prefix, asks in _asked_for(v, above):
                useful = z3.And(has(u, prefix), z3.Not(has(v, prefix)))
                right = z3.BoolVal(prefix == node) if literally else useful
                claims.append(z3.Implies(z3.And(chosen, asks), right))
    yield "", z3.And(*claims), ()


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
FIGURES = {"longest": LONGEST}


def _attempt(
    said: Callable[..., Iterable[Said]], *reading: Any, replay: Callable[[Values], Replayed] | None, shortest: int = 1
) -> Attempt:
    return Attempt(partial(_of_tries, partial(said, *reading), shortest), replay)


PROOFS = {
    "reconciliation_makes_progress": Proof(
        (
            _attempt(_progress, same_contents, True, replay=partial(_replay, hash_of_children, True)),
            _attempt(_progress, same_contents, False, replay=partial(_replay, hash_of_children, False)),
            _attempt(_progress, same_child_labels, True, replay=partial(_replay, printed_inner_hash, True)),
        ),
        _agrees,
        TIED_TO,
        FIGURES,
    ),
    "printed_claim_21": Proof(
        (
            _attempt(_to_v, lambda _u, _v: z3.BoolVal(True), replay=_replay_to_v),
            _attempt(_to_v, lambda u, v: z3.Not(_any(missing(u, v))), replay=_replay_to_v),
            _attempt(_to_v, _same_root, replay=_replay_to_v, shortest=2),
        ),
        _agrees,
        TIED_TO,
        FIGURES,
    ),
    "printed_claim_22": Proof(
        (_attempt(_claim_22, True, replay=_replay_claim_22), _attempt(_claim_22, False, replay=None)),
        _agrees,
        TIED_TO,
        FIGURES,
    ),
}
