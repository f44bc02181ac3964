import msgspec
import pytest

from gomboc.impl.automaton import Commanded, Delivered, Received, Refused, Send, Timeout
from gomboc.impl.publication import Publication
from gomboc.impl.skip_ring.commands import Issue
from gomboc.impl.skip_ring.messages import CheckAndPublish, CheckTrie, Publish, PublishNew
from gomboc.impl.trie import EMPTY
from tests.impl.publications import holder, made, naive_hash, naive_nodes, of_key, written
from tests.impl.skip_ring.cores import ASK, SILENT, coin_of, hear, make, sends, state_of, subscriber, unordered

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


# References to oneself.


@pytest.mark.parametrize(
    "message", [CheckTrie("v", ()), CheckAndPublish("v", (), ""), Publish(()), PublishNew("v", of_key("000"))]
)
def test_what_is_heard_of_publications_begins_by_forgetting_oneself_too(message):
    core = holder(left=["0", "u"], shortcuts=[["1", "u"]])
    hear(core, message)
    assert (state_of(core)["left"], state_of(core)["shortcuts"]) == (None, [["1", None]])


# Timeout.


def test_a_timeout_tells_the_root_to_a_neighbour_on_the_ring():
    core = holder_of("000", "011", left=LEFT)
    outputs = core.handle(0.0, Timeout())
    assert ("l", "CheckTrie", "u", (told("000", "011")["0"],)) in sends(outputs)
    assert coin_of(outputs) == ["silent l"]


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


def test_a_neighbour_that_is_stored_twice_is_one_and_oneself_is_none():
    core = holder(coin=SILENT, left=["0", "u"], right=RIGHT, ring=["11", "r"])
    outputs = core.handle(0.0, Timeout())
    assert coin_of(outputs) == ["silent r"]
    assert [message[:2] for message in sends(outputs)].count(("r", "CheckTrie")) == 1


def test_the_neighbours_are_those_before_the_step():
    core = holder(right=["0", "r"])
    outputs = core.handle(0.0, Timeout())
    assert state_of(core)["right"] is None
    assert coin_of(outputs) == ["silent r"]


def test_shortcuts_are_not_compared_with():
    core = holder(label="0", right=RIGHT, shortcuts=[["01", "s"]])
    assert "s" not in {to for to, kind, *_ in sends(core.handle(0.0, Timeout())) if kind == "CheckTrie"}


def test_without_a_neighbour_the_coin_is_that_of_the_ring():
    assert coin_of(holder().handle(0.0, Timeout())) == ["silent"]
    assert coin_of(holder(coin=ASK).handle(0.0, Timeout())) == ["ask"]


def test_the_empty_trie_is_told_too():
    core = holder(right=RIGHT)
    assert ("r", "CheckTrie", "u", (EMPTY,)) in sends(core.handle(0.0, Timeout()))


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


def test_an_audit_delivers_nothing():
    core = holder(made(1, key="000"), made(2, key="001"), right=RIGHT)
    assert delivered(core.handle(0.0, Timeout())) == []


# CheckTrie and CheckAndPublish.


@pytest.mark.parametrize("keys", [(), ("000",), ("000", "011", "100")])
def test_equal_tries_need_no_answer(keys):
    label, digest = next(iter(told(*keys).values()), EMPTY)
    if keys:
        label = min(told(*keys), key=len)
        digest = naive_hash(keys).hex()
    assert hear(holder_of(*keys), CheckTrie("v", ((label, digest),))) == []


def test_where_an_inner_node_differs_both_children_are_told_in_one_message():
    nodes = told("000", "011", "100")
    core = holder_of("000", "011", "100")
    assert hear(core, CheckTrie("v", (("", FALSE_HASH),))) == [("v", "CheckTrie", "u", (nodes["0"], nodes["100"]))]


def test_a_leaf_that_differs_is_a_corrupted_cache_and_not_answered():
    assert hear(holder_of("000"), CheckTrie("v", (("000", FALSE_HASH),))) == []


@pytest.mark.parametrize(("label", "missing"), [("", "0"), ("1", "10"), ("11", "111")])
def test_what_branches_off_above_a_node_is_asked_for(label, missing):
    core = holder_of("110")
    expected = ("v", "CheckAndPublish", "u", (told("110")["110"],), missing)
    assert hear(core, CheckTrie("v", ((label, FALSE_HASH),))) == [expected]


def test_the_shortest_label_below_is_told_with_it():
    nodes = told("000", "010", "011")
    expected = ("v", "CheckAndPublish", "u", (nodes["0"],), "1")
    assert hear(holder_of("000", "010", "011"), CheckTrie("v", (("", FALSE_HASH),))) == [expected]


@pytest.mark.parametrize("keys", [(), ("000", "011")])
def test_all_beneath_a_label_is_asked_for_where_there_is_nothing(keys):
    expected = ("v", "CheckAndPublish", "u", (), "10")
    assert hear(holder_of(*keys), CheckTrie("v", (("10", FALSE_HASH),))) == [expected]


def test_the_empty_trie_asks_for_everything_and_is_given_everything():
    root = told("000", "100")[""]
    assert hear(holder(), CheckTrie("v", (root,))) == [("v", "CheckAndPublish", "u", (), "")]
    nodes = told("000", "100")
    expected = ("v", "CheckTrie", "u", (nodes["000"], nodes["100"]))
    assert hear(holder_of("000", "100"), CheckTrie("v", (EMPTY,))) == [expected]
    assert hear(holder_of("000"), CheckTrie("v", (EMPTY,))) == [("v", "CheckAndPublish", "u", (nodes["000"],), "1")]


def test_another_hash_of_the_empty_trie_is_answered():
    assert hear(holder(), CheckTrie("v", (("", FALSE_HASH),))) == [("v", "CheckAndPublish", "u", (), "")]


def test_each_tuple_is_answered_by_itself():
    nodes = told("000", "011")
    core = holder_of("000", "011")
    assert hear(core, CheckTrie("v", (("0", FALSE_HASH), ("1", FALSE_HASH)))) == unordered(
        ("v", "CheckTrie", "u", (nodes["000"], nodes["011"])), ("v", "CheckAndPublish", "u", (), "1")
    )


def test_what_the_sender_lacks_is_handed_over_in_order_and_in_chunks():
    keys = ["100", "101", "110", "111"]
    core = holder_of("000", *keys, parameters={"chunk": 3})
    answers = core.handle(0.0, Received(CheckAndPublish("v", (), "1")))
    chunks = [answer.message.publications for answer in answers]
    assert [[answer.key for answer in chunk] for chunk in chunks] == [keys[:3], keys[3:]]
    assert {(answer.to, type(answer.message)) for answer in answers} == {("v", Publish)}


def test_where_nothing_begins_with_the_prefix_nothing_is_published():
    assert hear(holder_of("000"), CheckAndPublish("v", (), "1")) == []


def test_a_request_to_publish_is_a_comparison_too():
    nodes = told("000", "011", "100")
    core = holder_of("000", "011", "100")
    answers = hear(core, CheckAndPublish("v", (("0", FALSE_HASH),), "1"))
    assert answers == unordered(
        ("v", "Publish", (msgspec.to_builtins(of_key("100")),)), ("v", "CheckTrie", "u", (nodes["000"], nodes["011"]))
    )


@pytest.mark.parametrize("message", [CheckTrie("u", (EMPTY,)), CheckAndPublish("u", (EMPTY,), "")])
@pytest.mark.parametrize("label", [None, "01"])
def test_what_a_node_asks_of_itself_is_ignored(message, label):
    assert hear(holder_of("000", label=label), message) == []


@pytest.mark.parametrize("message", [CheckTrie("v", (EMPTY,)), CheckAndPublish("v", (EMPTY,), "")])
def test_a_node_without_a_label_asks_to_be_left(message):
    assert hear(holder_of("000", label=None), message) == [("v", "RemoveConnections", "u")]


@pytest.mark.parametrize("message", [CheckTrie("v", (EMPTY,)), CheckAndPublish("v", (EMPTY,), "")])
def test_a_leaver_still_answers(message):
    assert hear(holder_of("000", wants=False), message) == hear(holder_of("000"), message) != []


# Publish, PublishNew and the command.


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


def test_a_key_that_is_stored_is_not_replaced():
    other = of_key("000", "b")
    core = holder(of_key("000"))
    outputs = core.handle(0.0, Received(Publish((other,))))
    assert outputs == []
    assert state_of(core)["publications"] == [list(msgspec.to_builtins(of_key("000")))]


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


def test_one_that_is_refused_does_not_keep_out_the_others():
    core = holder()
    outputs = core.handle(0.0, Received(Publish((WRONG["forged"], of_key("000"), WRONG["key_mismatch"]))))
    assert refused(outputs) == ["forged", "key_mismatch"]
    assert delivered(outputs) == [of_key("000")]


@pytest.mark.parametrize("message", [Publish((of_key("000"),)), PublishNew("v", of_key("000"))])
def test_a_node_that_does_not_want_to_belong_takes_nothing(message):
    core = holder(wants=False, left=LEFT)
    assert core.handle(0.0, Received(message)) == []
    assert keys_of(core) == []


def test_something_new_is_flooded_over_ring_and_shortcuts_but_not_back():
    core = holder(
        label="0", left=LEFT, right=RIGHT, ring=["11", "v"], shortcuts=[["01", "s"], ["11", "r"], ["111", None]]
    )
    new = of_key("000")
    outputs = core.handle(0.0, Received(PublishNew("v", new)))
    assert delivered(outputs) == [new]
    assert sends(outputs) == [(to, "PublishNew", "u", msgspec.to_builtins(new)) for to in "lrs"]


@pytest.mark.parametrize("label", ["01", None])
def test_what_is_there_is_not_flooded_again(label):
    core = holder_of("000", label=label, left=LEFT)
    assert core.handle(0.0, Received(PublishNew("v", of_key("000")))) == []


def test_a_publication_of_ones_own_is_stored_delivered_and_flooded():
    core = holder(left=LEFT, right=["1", "u"], shortcuts=[["1", "s"]])
    outputs = core.handle(0.0, Commanded(Issue(5, "p")))
    new = made(5, "u")
    assert delivered(outputs) == [new]
    assert {(send.to, send.message) for send in outputs[1:]} == {(to, PublishNew("u", new)) for to in "ls"}
    assert state_of(core)["publications"] == [written(5, "u")]


def test_a_payload_that_is_too_large_is_not_published():
    core = holder(left=LEFT, parameters={"payload_limit": 8})
    outputs = core.handle(0.0, Commanded(Issue(5, "123456789")))
    assert outputs == [Refused("too_large")]
    assert keys_of(core) == []


def test_what_is_kept_no_longer_is_not_published():
    core = holder(made(7, "u"), left=LEFT, parameters={"keep": 1})
    assert core.handle(0.0, Commanded(Issue(made_before(7), "p"))) == [Refused("expired")]


def made_before(number):
    """A lower number of the publisher u with a publication of another key."""
    return next(candidate for candidate in range(number) if made(candidate, "u").key != made(number, "u").key)


@pytest.mark.parametrize(("variables", "number"), [({"wants": False}, 5), ({}, 6)])
def test_publishing_has_no_effect_for_a_node_that_left_or_has_printed_it(variables, number):
    core = holder(made(6, "u"), left=LEFT, **variables)
    before = state_of(core)
    assert core.handle(0.0, Commanded(Issue(number, "p"))) == []
    assert state_of(core) == before


def test_without_a_label_a_publication_waits_for_neighbours():
    core = holder(label=None)
    assert len(delivered(core.handle(0.0, Commanded(Issue(5, "p"))))) == 1
    assert state_of(core)["publications"] == [written(5, "u")]


# Keeping.


def test_a_later_publication_lets_an_earlier_one_expire():
    early, late = made(1), later(made(1).key)
    core = holder(early, parameters={"keep": 1})
    core.handle(0.0, Timeout())
    assert delivered(core.handle(0.0, Received(Publish((late,))))) == [late]
    assert keys_of(core) == [late.key]


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


# The ring alone.


@pytest.mark.parametrize(
    "message",
    [
        CheckTrie("v", (EMPTY,)),
        CheckAndPublish("v", (), ""),
        Publish((of_key("000"),)),
        PublishNew("v", of_key("000")),
    ],
)
@pytest.mark.parametrize("label", ["01", None])
def test_the_ring_alone_consumes_what_is_about_publications(message, label):
    core = subscriber(label=label, left=["0", "u"])
    before = state_of(core)
    assert hear(core, message) == []
    assert state_of(core) == before


def test_the_ring_alone_publishes_nothing():
    assert subscriber(left=LEFT).handle(0.0, Commanded(Issue(5, "p"))) == []


def test_the_supervisor_consumes_what_is_about_publications():
    core = make("supervisor", "supervisor", {"database": [["0", None]], "next": 0})
    assert hear(core, CheckTrie("v", (EMPTY,))) == []
    assert state_of(core) == {"database": [["0", None]], "next": 0}
