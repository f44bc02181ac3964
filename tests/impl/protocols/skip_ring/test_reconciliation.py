from functools import cache
from itertools import count, permutations
from random import Random

import msgspec
import pytest

from gomboc.impl.protocols.skip_ring.messages import CheckAndPublish, CheckTrie, Publish
from gomboc.impl.publishing import comparison
from gomboc.impl.publishing.limits import Limits
from tests.impl.protocols.skip_ring import reconciling
from tests.impl.protocols.skip_ring.reconciling import Side, session
from tests.impl.publications import all_keys, hashed, made, naive_nodes, of_key
from tests.sampling import THOROUGH

KEYS = all_keys()
SUBSETS = [[key for place, key in enumerate(KEYS) if chosen >> place & 1] for chosen in range(2**8)]
MOST_SESSIONS = 4
"""So many are always enough over three bits, as the exhaustive test shows: two of each side."""


def sides_of(one, other, **named):
    return {"u": Side("u", map(of_key, one), **named), "v": Side("v", map(of_key, other), **named)}


def sessions_needed(one, other):
    """How many sessions, u and v beginning in turn, until both hold the union; None if too many."""
    union = tuple(sorted({*one, *other}))
    first, second = tuple(one), tuple(other)
    for number in range(MOST_SESSIONS + 1):
        if first == second == union:
            return number
        second, first = after_session(first, second)
    return None


@cache
def after_session(first, second):
    """The keys that both hold when the first has begun a session: a trie depends on its keys only."""
    sides = sides_of(first, second)
    session(sides, "u")
    return tuple(sides["u"].keys()), tuple(sides["v"].keys())


@pytest.fixture(autouse=True)
def _no_session_is_remembered_beyond_a_test():
    yield
    after_session.cache_clear()


def test_a_node_that_of_two_begins_is_all_that_their_names_decide():
    rows = Random(7)
    for one, other in ((rows.choice(SUBSETS[1:]), rows.choice(SUBSETS[1:])) for _ in range(200)):
        sides = sides_of(other, one)
        session(sides, "v")
        assert (tuple(sides["v"].keys()), tuple(sides["u"].keys())) == after_session(tuple(one), tuple(other))


def test_every_two_tries_over_three_bits_reconcile_any_node_that_begins():
    pairs = list(permutations(SUBSETS[1:], 2))
    assert len(pairs) == 64_770
    needed = [sessions_needed(one, other) for one, other in Random(7).sample(pairs, len(pairs) if THOROUGH else 2_000)]
    assert None not in needed
    assert max(needed) == MOST_SESSIONS


def test_every_trie_reconciles_with_the_empty_one():
    for keys in SUBSETS[1:]:
        assert sessions_needed(keys, []) in (1, 2)
        assert sessions_needed([], keys) in (1, 2)


def test_equal_tries_need_one_message_and_no_answer():
    for keys in SUBSETS:
        sides = sides_of(keys, keys)
        assert [len(session(sides, who)[1]) for who in "uv"] == [1, 1]


def test_one_side_alone_is_not_enough():
    """Source: Section 4.2, "it is important at which subscriber the initial CheckTrie request is started"."""
    sides = sides_of(["000", "010", "100", "101"], ["000", "010", "100"])
    for _ in range(9):
        session(sides, "u")
    assert len(sides["v"].keys()) == 3


def test_with_the_hash_as_printed_two_tries_that_differ_only_deep_down_never_reconcile(monkeypatch):
    """Source: Section 4.2, "t.hash := h(h(c_1(t).label) ∘ h(c_2(t).label))"."""
    one, other = ["000", "010", "100"], ["001", "010", "100"]
    assert sessions_needed(one, other) is not None

    def printed(inner):
        return hashed(b"".join(hashed(child.prefix.encode()) for child in inner.children))

    monkeypatch.setattr("gomboc.impl.publishing.trie.Inner.digest", printed)
    after_session.cache_clear()
    assert sessions_needed(one, other) is None


# Figure 2.

FIGURE_U, FIGURE_V = ["000", "010", "100", "101"], ["000", "010", "100"]


def test_figure_2_begun_at_u_ends_after_two_messages_and_delivers_nothing():
    sides = sides_of(FIGURE_U, FIGURE_V)
    of_u, of_v = naive_nodes(FIGURE_U), naive_nodes(FIGURE_V)
    delivered, said = session(sides, "u")
    assert [(send.to, send.message) for send in said] == [
        ("v", CheckTrie("u", (("", of_u[""]),))),
        ("u", CheckTrie("v", (("0", of_v["0"]), ("100", of_v["100"])))),
    ]
    assert delivered == []


def test_figure_2_begun_at_v_takes_four_messages_and_delivers_p4():
    sides = sides_of(FIGURE_U, FIGURE_V)
    of_u, of_v = naive_nodes(FIGURE_U), naive_nodes(FIGURE_V)
    delivered, said = session(sides, "v")
    assert [(send.to, send.message) for send in said] == [
        ("u", CheckTrie("v", (("", of_v[""]),))),
        ("v", CheckTrie("u", (("0", of_u["0"]), ("10", of_u["10"])))),
        ("u", CheckAndPublish("v", (("100", of_v["100"]),), "101")),
        ("v", Publish((of_key("101"),))),
    ]
    assert delivered == [of_key("101")]
    assert sides["u"].store.root() == sides["v"].store.root()


# History.

MANY = Limits(key_bits=64, payload_limit=100, chunk=64)


@pytest.mark.parametrize("begins", ["uv", "vu"])
def test_a_node_that_holds_nothing_has_all_of_many_after_few_sessions_in_bounded_steps(begins, monkeypatch):
    """One that begins alone would bring no more soon: each node begins in turn. Of 10,000, 20 sessions bring all."""
    monkeypatch.setattr(reconciling, "COIN", Random(5))
    history = [made(number, payload="\x01" * 100, bits=64) for number in range(2_000)]
    sides = {"u": Side("u", history, MANY), "v": Side("v", (), MANY)}
    for who in begins * 10:
        _, said = session(sides, who)
        assert all(len(sent.message.publications) <= 64 for sent in said if isinstance(sent.message, Publish))
        assert max(len(msgspec.json.encode(sent.message)) for sent in said) < 64_000
    assert sides["v"].store.root() == sides["u"].store.root()


def test_a_few_differences_in_a_long_history_cost_messages_for_these_only():
    history = [made(number, bits=64) for number in range(2_000)]
    sides = {"u": Side("u", history[3:], MANY), "v": Side("v", history[:-3], MANY)}
    for who in "uvuv":
        delivered, said = session(sides, who)
        assert len(said) <= 2 * 64 * 6
        assert len(delivered) <= 6
    assert sides["v"].store.root() == sides["u"].store.root()


def test_corrupted_hashes_on_both_sides_are_rebuilt_before_a_session():
    """The node that begins has audited its trie; the one that answers has done so after its first timeout."""
    wrong = [("", "f" * 32), ("0", "e" * 32)]
    sides = sides_of(["000", "010", "100"], ["000", "011"], hashes=wrong)
    for who in "uvuv":
        session(sides, who)
    assert sides["u"].keys() == sides["v"].keys() == ["000", "010", "011", "100"]
    assert sides["u"].store.root() == ("", naive_nodes(sides["u"].keys())[""])


# Keeping some.


def kept_apart(one, other):
    """Whether eight sessions leave two nodes with different tries that keep one publication of each publisher."""
    parameters = Limits(key_bits=3, keep=1)
    sides = {"u": Side("u", one, parameters), "v": Side("v", other, parameters)}
    for who in "uvuvuvuv":
        session(sides, who)
    return sides["u"].keys() != sides["v"].keys()


def test_an_expired_publication_does_not_keep_two_tries_apart(monkeypatch):
    """The only publication that u can be asked for is refused, and its node in the trie of u hides one that v has.

    The node that refuses it tells what it holds beside; otherwise the two would stay apart for ever.
    """
    shared = [of_key("000", "b"), of_key("010", "c")]
    expired, latest = renumbered("100", 1), renumbered("001", 2)
    assert not kept_apart([*shared, expired], [*shared, latest])
    assert not kept_apart([*shared, renumbered("100", 2)], [*shared, renumbered("001", 1)])
    monkeypatch.setattr(comparison, "left_out", lambda *_: ())
    assert kept_apart([*shared, expired], [*shared, latest])
    assert not kept_apart([*shared, renumbered("100", 2)], [*shared, renumbered("001", 1)])


def renumbered(key, number):
    """A valid publication of the publisher a with that key and number."""
    payloads = map(str, count())
    return next(
        candidate for candidate in (made(number, payload=payload) for payload in payloads) if candidate.key == key
    )
