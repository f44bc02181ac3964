"""Two subscribers compare their tries until what is missing is found: about an abstract model, not a specification."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import z3

from checker.evidence.skip_ring.encodings.patricia import Hash, build, exchange, of_hashes, of_labels
from checker.evidence.skip_ring.encodings.tries import (
    Exchange,
    Keys,
    SameHash,
    constant,
    has,
    is_node,
    is_top,
    keys,
    known,
    missing,
    prefixes,
    read,
    same_child_labels,
    same_contents,
    words,
)
from checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values

LONGEST = 3
"""Keys have at most so many bits."""
ABOUT = "an abstract model of tries as sets of keys; the specification has no publications yet"


def _tries(bits: int) -> tuple[Keys, Keys]:
    return keys(bits, "u"), keys(bits, "v")


def _read(bits: int, model: Model) -> Values:
    u, v = _tries(bits)
    return {"bits": bits, "u": read(model, u), "v": read(model, v)}


def _any(found: Keys) -> Term:
    return z3.Or(*found.values())


def _progress(same_hash: SameHash, both: bool = True) -> Iterator[Obligation]:
    """Somebody is sent something; with both, either may start, otherwise only u does."""
    for bits in range(1, LONGEST + 1):
        u, v = _tries(bits)
        from_u, from_v = Exchange(u, v, same_hash), Exchange(v, u, same_hash)
        sent = (*from_u.delivered, *from_v.delivered)
        only = _only_missing(sent, (missing(u, v), missing(v, u)))
        yield Obligation(f"{bits} bits: only what is missing is sent", only, (), partial(_read, bits))
        arrives = z3.Or(*(_any(found) for found in (sent if both else from_u.delivered)))
        differ = z3.Or(_any(missing(v, u)), _any(missing(u, v)))
        starts = z3.BoolVal(True) if both else has(u, "")
        yield Obligation(f"{bits} bits: something is sent", arrives, (differ, starts), partial(_read, bits))


def _to_v(given: Callable[[Keys, Keys], Term], shortest: int = 1) -> Iterator[Obligation]:
    """If u has publications that v lacks, and what is given, one of both exchanges brings v some."""
    for bits in range(shortest, LONGEST + 1):
        u, v = _tries(bits)
        sent = Exchange(u, v, same_contents).delivered[1], Exchange(v, u, same_contents).delivered[0]
        arrives = z3.Or(*map(_any, sent))
        yield Obligation(f"{bits} bits", arrives, (_any(missing(v, u)), given(u, v)), partial(_read, bits))


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


def _replay(hash_of: Hash, both: bool, values: Values) -> Replayed:
    u, v = set(values["u"]), set(values["v"])
    sent = (*exchange(u, v, hash_of), *(exchange(v, u, hash_of) if both else ()))
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
                for prefix, asked in _asked_for(v, above):
                    useful = z3.And(has(u, prefix), z3.Not(has(v, prefix)))
                    right = z3.BoolVal(prefix == node) if literally else useful
                    claims.append(z3.Implies(z3.And(chosen, asked), right))
        yield Obligation(f"{bits} bits", z3.And(*claims), (), partial(_read, bits))


def _replay_claim_22(values: Values) -> Replayed:
    """For every choice of p and t, the prefix that v asks for, next to the label of p."""
    u, v = set(values["u"]), set(values["v"])
    nodes = [node.label for node in build(u).nodes()]
    lacking = [label for label in nodes if not any(key.startswith(label) for key in v)]
    least = [label for label in lacking if len(label) == min(map(len, lacking))]
    mine = [node.label for node in build(v).nodes()] if v else []
    found = [
        (label, _prefix(min((n for n in nodes if label.startswith(n) and n not in mine), key=len), mine))
        for label in least
    ]
    return Replayed([(label, label) for label in least], found)


def _prefix(unknown: str, mine: list[str]) -> str:
    nearest = next((label for label in mine if label.startswith(unknown)), None)
    if nearest is None:
        return unknown
    return unknown + ("1" if nearest[len(unknown)] == "0" else "0")


def _agrees(random: Random) -> Sample:
    bits = random.randint(1, LONGEST)
    u, v = ({key for key in words(bits) if random.random() < 0.5} for _ in range(2))
    encoded, plain = [], []
    for same, hash_of in ((same_contents, of_hashes), (same_child_labels, of_labels)):
        terms = Exchange(constant(bits, u), constant(bits, v), same)
        encoded.append(tuple(map(known, terms.delivered)))
        plain.append(exchange(u, v, hash_of))
    return Sample((u, v), encoded, plain)


BOUND = f"all pairs of sets of keys of 1 to {LONGEST} bits"
LEMMAS = (
    Lemma(
        name="reconciliation_makes_progress",
        statement=Statement(
            "If u and v do not have the same publications, one of the exchanges that u and v start brings one of them "
            "some that it lacks, and neither brings anybody anything else; so what is missing at both "
            "together decreases.",
            partial(_progress, same_contents),
            replay=partial(_replay, of_hashes, True),
        ),
        source="Section 4.2; Lemma 20",
        ranges_over=BOUND,
        contrasts=(
            Statement(
                "... if only u starts one, even if u has publications",
                partial(_progress, same_contents, False),
                holds=False,
                replay=partial(_replay, of_hashes, False),
            ),
            Statement(
                "... with the hash as the formula has it, of the children's labels and not of their hashes",
                partial(_progress, same_child_labels),
                holds=False,
                replay=partial(_replay, of_labels, True),
            ),
        ),
        agrees_with_spec=_agrees,
        about=ABOUT,
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
        agrees_with_spec=_agrees,
        about=ABOUT,
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
        agrees_with_spec=_agrees,
        about=ABOUT,
    ),
)
