import msgspec
import pytest

from gomboc.impl.core.automaton import Delivered, Received, Refused, Send, Timeout
from gomboc.impl.protocols.skip_ring.messages import CheckAndPublish, Publish, PublishNew
from gomboc.impl.publishing.publication import Publication
from tests.impl.protocols.skip_ring.cores import coin_of, sends, state_of
from tests.impl.publications import holder, made, naive_nodes, of_key, written

LEFT, RIGHT, RING = ["0", "l"], ["1", "r"], ["0", "o"]
FALSE_HASH = "f" * 32


def keys_of(core):
    return [publication[0] for publication in state_of(core).get("publications", [])]


def delivered(outputs):
    return [output.content for output in outputs if isinstance(output, Delivered)]


def refused(outputs):
    return [output.reason for output in outputs if isinstance(output, Refused)]


def told(*keys):
    """The tuple of each node of the trie with these keys, by label."""
    return {label: (label, digest) for label, digest in naive_nodes(keys).items()}


def holder_of(*keys, **variables):
    return holder(*map(of_key, keys), **variables)


@pytest.mark.parametrize(
    ("number", "coin"),
    [
        (0.0, "ask l"),
        (0.3, "silent l"),
        (0.34, "silent r"),
        (0.66, "silent r"),
        (0.67, "silent o"),
        (0.999, "silent o"),
    ],
)
def test_each_of_three_neighbours_is_as_likely(number, coin):
    core = holder(coin=number, label="011", left=LEFT, right=RIGHT, ring=RING)
    assert coin_of(core.handle(0.0, Timeout())) == [coin]


def test_the_trie_is_audited_before_it_is_told():
    core = holder_of("000", "100", right=RIGHT, hashes=[["", FALSE_HASH]])
    assert ("r", "CheckTrie", "u", (told("000", "100")[""],)) in sends(core.handle(0.0, Timeout()))
    assert "hashes" not in state_of(core)


def test_a_node_without_a_label_audits_and_tells_no_node():
    core = holder_of("000", label=None, right=RIGHT, hashes=[["000", FALSE_HASH]])
    outputs = core.handle(0.0, Timeout())
    assert "CheckTrie" not in {kind for _, kind, *_ in sends(outputs)}
    assert coin_of(outputs) == []
    assert "hashes" not in state_of(core)
    assert keys_of(core) == ["000"]


def test_what_the_sender_lacks_is_handed_over_in_order_and_in_chunks():
    keys = ["100", "101", "110", "111"]
    core = holder_of("000", *keys, parameters={"chunk": 3})
    answers = core.handle(0.0, Received(CheckAndPublish("v", (), "1")))
    chunks = [answer.message.publications for answer in answers]
    assert [[answer.key for answer in chunk] for chunk in chunks] == [keys[:3], keys[3:]]
    assert {(answer.to, type(answer.message)) for answer in answers} == {("v", Publish)}


def test_what_is_missing_is_stored_and_delivered_by_publisher_and_number():
    there, *missing = (
        made(number, publisher, bits=64) for publisher, number in [("b", 1), ("b", 2), ("a", 10), ("a", 9)]
    )
    core = holder(there, parameters={"key_bits": 64})
    outputs = core.handle(0.0, Received(Publish((there, *missing))))
    assert [(publication.publisher, publication.number) for publication in delivered(outputs)] == [
        ("a", 9),
        ("a", 10),
        ("b", 2),
    ]
    assert keys_of(core) == sorted(publication.key for publication in (there, *missing))
    assert sends(outputs) == []


WRONG = {
    "key_mismatch": Publication("111" if made(1).key != "111" else "000", *written(1)[1:]),
    "forged": made(1, signer="b"),
    "too_large": made(1, payload="x" * 9),
    "expired": made(1),
}
LIMITS = {"payload_limit": 8, "keep": 1}


def later(key):
    """A publication of the same publisher with a higher number and another key."""
    return next(candidate for candidate in (made(number) for number in range(2, 99)) if candidate.key != key)


@pytest.mark.parametrize("reason", WRONG)
@pytest.mark.parametrize(
    "said", [lambda publication: Publish((publication,)), lambda publication: PublishNew("v", publication)]
)
def test_what_is_not_acceptable_is_refused_by_name_and_nothing_changes(reason, said):
    wrong = WRONG[reason]
    core = holder(later(wrong.key), parameters=LIMITS, left=LEFT)
    core.handle(0.0, Timeout())
    before = state_of(core)
    outputs = core.handle(0.0, Received(said(wrong)))
    assert refused(outputs) == [reason]
    assert state_of(core) == before
    replaced = reason == "expired" and isinstance(said(wrong), Publish)
    assert outputs[1:] == ([Send("l", PublishNew("u", later(wrong.key)))] if replaced else [])


def test_every_ring_neighbour_hears_what_is_kept_instead_of_what_has_expired():
    early, late = made(1), later(made(1).key)
    core = holder(late, left=LEFT, right=RIGHT, ring=RING, shortcuts=[["11", "s"]], parameters={"keep": 1})
    outputs = core.handle(0.0, Received(Publish((early,))))
    assert refused(outputs) == ["expired"]
    assert sends(outputs) == [(to, "PublishNew", "u", msgspec.to_builtins(late)) for to in "lor"]


def test_of_many_only_those_that_are_kept_are_delivered():
    core = holder(parameters={"key_bits": 64, "keep": 2})
    said = tuple(made(number, publisher, bits=64) for publisher in "ba" for number in (3, 1, 2))
    outputs = core.handle(0.0, Received(Publish(said)))
    assert [(publication.publisher, publication.number) for publication in delivered(outputs)] == [
        ("a", 2),
        ("a", 3),
        ("b", 2),
        ("b", 3),
    ]


def test_what_was_loaded_beyond_what_is_kept_expires_with_the_next_publications():
    core = holder(*(made(number, bits=64) for number in range(5)), parameters={"key_bits": 64, "keep": 2})
    core.handle(0.0, Received(Publish(())))
    assert [
        publication[2] for publication in sorted(state_of(core)["publications"], key=lambda publication: publication[2])
    ] == [3, 4]
