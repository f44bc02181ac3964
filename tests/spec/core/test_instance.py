"""Finite instances: where they start, how their channels are bounded, and the model that they make."""

from collections import Counter
from itertools import combinations_with_replacement, groupby, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.channels import Channels
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import bounded_model, is_idle, is_within, multisets, saturated, size, starts, turns
from gomboc.spec.core.model import Commanded, Fault, Kind, Offer, Outcome, Received, Send, Timeout
from gomboc.spec.core.network import begin
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Discipline, Start
from tests.checker.explore.table.protocols import instance_of, tabled

PING = tabled({("a", 0, None): ((0, (("b", 10),)),), ("b", 0, 10): ((0, (("a", 11), ("a", 11))),)})


def world(*in_flight):
    return begin(Start((), (("a", 0), ("b", 0)), in_flight), Discipline.UNORDERED)


@given(st.integers(0, 3), st.integers(0, 5), st.integers(1, 3))
def test_multisets_are_all_those_with_few_enough_values_and_copies(values, most, copies):
    every = [
        some
        for count in range(most + 1)
        for some in combinations_with_replacement(range(values), count)
        if max(Counter(some).values(), default=0) <= copies
    ]
    assert sorted(multisets(tuple(range(values)), most, copies)) == sorted(every)


def test_every_combination_of_states_and_messages_is_a_start():
    instance = instance_of(PING, locals_=(0, 1), messages=(("a", 10), ("b", 11)), in_flight=2, copies=2)
    every = list(starts(instance))
    assert len(every) == len(set(every)) == size(instance) == 4 * 6
    assert Start((("a", "node"), ("b", "node")), (("a", 1), ("b", 0)), (("a", 10), ("b", 11))) in every


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"copies": 0}, "has copies=0, and a bound on messages in flight is a whole number from 1 on"),
        ({"copies": None}, "has copies=None, and a bound on messages in flight is a whole number from 1 on"),
        ({"most": 1.5}, "has most=1.5, and a bound on messages in flight is a whole number from 1 on"),
        ({"in_flight": "2"}, "has in_flight='2', and this is a whole number from 0 on"),
        ({"in_flight": -1}, "has in_flight=-1, and this is a whole number from 0 on"),
        ({"budget": (("Crash", -2),)}, "has a budget of Crash=-2, and this is a whole number from 0 on"),
        ({"locals": ()}, "has no node"),
        ({"locals": (("a", "node", OneOf((0,))),) * 2}, "has 'a' twice in locals"),
        ({"alike": ("b", "b")}, "has 'b' twice in alike"),
        ({"alike": ("a", "z")}, "has 'z' in alike, which is no node"),
    ],
)
def test_an_instance_that_makes_no_sense_says_why(changes, why):
    assert replace(instance_of(PING), **changes).misstated() == why


@pytest.mark.parametrize(("coalesce", "copies"), [(True, 1), (False, 2)])
def test_exact_channels_leave_out_no_start_with_further_copies(coalesce, copies):
    made = instance_of(PING, messages=(("b", 10),), in_flight=2, coalesce=coalesce)
    assert [len(start.in_flight) for start in starts(made)] == [*range(copies + 1)]


@pytest.mark.parametrize(("coalesce", "copies"), [(True, 1), (True, 2), (False, 1)])
def test_under_fifo_first_messages_are_in_every_order_in_which_they_may_arrive(coalesce, copies):
    sent = (("a", 10), ("a", 11), ("b", 10))
    fifo = PING.changed(discipline=Discipline.FIFO)
    made = instance_of(fifo, messages=sent, in_flight=3, copies=copies, coalesce=coalesce)
    every = {arriving(order) for size in range(4) for order in product(sent, repeat=size)}
    kept = {
        links
        for links in every
        if not coalesce or all(len(list(run)) <= copies for _, link in links for _, run in groupby(link))
    }
    listed = [arriving(start.in_flight) for start in starts(made)]
    assert len(listed) == len(set(listed))
    assert set(listed) == kept
    assert {arriving(world.in_flight()) for world in bounded_model(made).initial()} == kept


def arriving(order):
    """The messages to each node, in order."""
    links = {target: tuple(message for other, message in order if other == target) for target, _ in order}
    return tuple(sorted(links.items()))


def test_starts_are_left_out_as_the_instance_says():
    instance = instance_of(PING, locals_=(0, 1), admits=lambda start: dict(start.locals)["a"] == 1)
    assert [start.locals for start in starts(instance)] == [(("a", 1), ("b", 0)), (("a", 1), ("b", 1))]
    linked = instance_of(PING.changed(edges=lambda node, value: (("a", "b"),) if value else ()), locals_=(0, 1))
    assert [start.locals for start in starts(linked)] == [
        (("a", 0), ("b", 1)),
        (("a", 1), ("b", 0)),
        (("a", 1), ("b", 1)),
    ]


def test_messages_in_flight_are_edges_too():
    edges = {10: (("b", "a"),)}
    known = PING.changed(edges=lambda node, value: edges.get(value, ()))
    linked = instance_of(known, messages=(("b", 10),), in_flight=1)
    assert [start.in_flight for start in starts(linked)] == [(("b", 10),)]


def test_a_start_that_lacks_the_premise_of_its_protocol_is_left_out():
    premise = PING.changed(premise=lambda states, in_flight: () if states["a"] else (1,))
    assert [start.locals for start in starts(instance_of(premise, locals_=(0, 1)))] == [
        (("a", 1), ("b", 0)),
        (("a", 1), ("b", 1)),
    ]


@pytest.mark.parametrize("answer", [None, 1, "yes"])
def test_an_instance_that_answers_neither_yes_nor_no_is_refused(answer):
    with pytest.raises(ValueError, match=rf"^admits answers {answer!r}, not True or False$"):
        list(starts(instance_of(PING, admits=lambda start: answer)))


@given(st.lists(st.sampled_from([("a", 10), ("a", 11), ("b", 10)])), st.integers(1, 3))
def test_a_further_copy_coalesces_with_those_that_are_there(sent, copies):
    kept = Counter((e.target, e.message) for e in saturated(world(*sent).channels, copies).in_flight)
    assert kept == {message: min(copies, times) for message, times in Counter(sent).items()}
    assert saturated(world(*sent).channels, copies) == saturated(world(*reversed(sent)).channels, copies)


def test_a_state_with_too_many_messages_is_beyond_the_bound():
    two = (("a", 10), ("b", 10))
    assert is_within(instance_of(PING, most=2), world(*two))
    assert not is_within(instance_of(PING, most=1), world(*two))
    assert is_within(instance_of(PING), world(*two))


def test_a_further_copy_is_beyond_the_bound_if_it_does_not_coalesce():
    twice = world(("a", 10), ("a", 10))
    assert is_within(instance_of(PING, copies=1), twice)
    assert not is_within(instance_of(PING, copies=1, coalesce=False), twice)
    assert is_within(instance_of(PING, copies=2, coalesce=False), twice)


def test_the_model_never_blocks_and_never_loses_a_message_but_a_copy():
    model = bounded_model(instance_of(PING, messages=(("b", 10),), in_flight=1))
    (delivery,) = (act for act in model.enabled(world(("b", 10))) if act.envelope)
    assert model.step(world(("b", 10)), delivery) == world(("a", 11))
    (timeout,) = (act for act in model.enabled(world(("b", 10))) if not act.envelope)
    assert model.step(world(("b", 10)), timeout) == world(("b", 10)), "it is sent again, and coalesces"
    apart = bounded_model(instance_of(PING, coalesce=False))
    assert apart.step(world(("b", 10)), timeout) == world(("b", 10), ("b", 10))
    assert not apart.within(world(("b", 10), ("b", 10)))


def test_a_timeout_that_changes_nothing_is_no_step():
    assert is_idle(PING, "b", 0, Timeout())
    assert not is_idle(PING, "a", 0, Timeout())
    assert not is_idle(PING, "b", 1, Received(10)), "a message is gone when it was taken"
    coin = tabled({("a", 0, None): ((0, ()), (1, ()))})
    assert not is_idle(coin, "a", 0, Timeout()), "its coin may fall so that it changes something"
    model = bounded_model(instance_of(PING))
    assert [act.node for act in model.enabled(world())] == ["a"]


def test_in_rounds_a_timeout_that_changes_nothing_ends_the_round():
    def enabled_after(model, state):
        return [model.step(state, act) for act in model.enabled(state)]

    model = bounded_model(instance_of(replace(tabled({}), discipline=Discipline.ROUNDS)))
    (begun,) = model.initial()
    assert [act.node for act in model.enabled(begun)] == ["a", "b"]
    once, _ = enabled_after(model, begun)
    assert enabled_after(model, once) == [begun], "the next round is like the first"


def test_under_fifo_coalescing_changes_no_order():
    def channels(*sent, copies=1):
        made = Channels(Discipline.FIFO)
        for message in sent:
            made = made.put("a", [Send("b", message)])
        return [envelope.message for envelope in saturated(made, copies).in_flight]

    assert channels(1, 2, 1) == [1, 2, 1]
    assert channels(1, 1, 2, 2, 2, 1, 1) == [1, 2, 1]
    assert channels(1, 1, 2, 2, 2, 1, 1, copies=2) == [1, 1, 2, 2, 1, 1]
    two = Channels(Discipline.FIFO).put("a", [Send("b", 1)]).put("c", [Send("b", 1)]).put("a", [Send("b", 1)])
    assert [envelope.source for envelope in saturated(two, 1).in_flight] == ["a", "c"]


def offering(owed, budget="crash", **stated):
    offers = (Offer("a", "out", budget, owed),)
    reacting = PING.changed(offers=lambda states, in_flight: offers, **stated)
    obeying = lambda me, local, taken, choice: (  # noqa: E731
        Outcome(2) if isinstance(taken, Commanded) else PING.actor.react(me, local, taken, choice)
    )
    return reacting.changed(react=obeying)


def test_what_comes_from_outside_is_possible_under_the_budget_of_the_instance():
    model = bounded_model(instance_of(offering(False), budget=(("crash", 1),)))
    (begun,) = model.initial()
    (out,) = (act for act in model.enabled(begun) if act.offer)
    assert model.disturbs(out)
    assert not any(model.disturbs(act) for act in model.enabled(begun) if not act.offer)
    assert not [act for act in model.enabled(model.step(begun, out)) if act.offer]
    assert model.bounds.endswith(", at most 1 crash")
    assert not [act for act in bounded_model(instance_of(offering(False))).enabled(begun_of(PING)) if act.offer]


def begun_of(protocol):
    (begun,) = bounded_model(instance_of(protocol)).initial()
    return begun


def test_only_a_command_that_is_owed_has_a_turn():
    for owed in (True, False):
        model = bounded_model(instance_of(offering(owed, "")))
        (out,) = (act for act in model.enabled(begun_of(PING)) if act.offer)
        assert turns(out) == ((("a", Commanded("out")),) if owed else ())


def test_a_quiet_command_disturbs_nothing():
    model = bounded_model(instance_of(offering(False, "", quiet=(str,))))
    (out,) = (act for act in model.enabled(begun_of(PING)) if act.offer)
    assert not model.disturbs(out)


def test_a_command_that_would_break_the_assumption_is_left_out_and_so_is_such_a_start():
    wrong = Fault("small", "a", "less than 2", 2, "nowhere")
    stated = {"assumption": lambda states, in_flight: (wrong,) if states["a"] == 2 else ()}
    made = instance_of(offering(False, "", **stated), locals_=(0, 2))
    model = bounded_model(made)
    assert [world.states()["a"] for world in model.initial()] == [0, 0]
    assert not [act for world in model.initial() for act in model.enabled(world) if act.offer]
    assert model.bounds.endswith(", as long as the operating assumption holds")


def test_promises_over_whole_states_and_histories_are_those_of_the_model():
    wrong = Fault("small", "a", "less than 2", 2, "nowhere")
    always = Always("small", "Section 1", lambda states, in_flight: (wrong,) if states["a"] == 2 else ())
    once = Observer(
        "once", "Section 2", (), lambda node, seen, delivery: ((*seen, delivery), (wrong,) if delivery in seen else ())
    )
    telling = PING.changed(
        always=(always,),
        observers=(once,),
        edges=lambda node, value: (("a", "b"),) if value != 7 else (),
        react=lambda me, local, taken, choice: Outcome(local, (), (1,)),
    )
    model = bounded_model(instance_of(telling))
    (begun,) = model.initial()
    promises = {promise.name: promise for promise in model.promises}
    assert list(promises)[3:] == ["canonical", "small", "stays_connected", "once"]
    assert promises["small"].holds(begun)
    assert not promises["small"].holds(begun.with_local("a", 2))
    assert promises["stays_connected"].kind is Kind.STABLE
    assert promises["stays_connected"].holds(begun)
    assert not promises["stays_connected"].holds(begun.with_local("a", 7).with_local("b", 7))
    first, *_ = model.enabled(begun)
    once_told = model.step(begun, first)
    assert once_told.seen == (("once", "a", (1,)),)
    assert promises["once"].holds(once_told)
    assert not promises["once"].holds(model.step(once_told, first))


def test_the_turns_are_those_of_timeouts_and_of_messages():
    model = bounded_model(instance_of(PING))
    assert [turns(act) for act in model.enabled(world(("b", 10), ("b", 11)))] == [
        (("a", None),),
        (("b", 10),),
        (("b", 11),),
    ]
    assert model.fair is turns


def test_coins_belong_to_one_pick():
    coin = tabled({("a", 0, None): ((0, (("b", 10),)), (1, ()))})
    model = bounded_model(instance_of(coin))
    acts = model.enabled(world())
    assert len(acts) == 2
    assert len({model.pick(act) for act in acts}) == 1
    assert sum(model.chance(act) for act in acts) == 1


def test_the_promises_are_those_of_self_stabilisation():
    wrong = tabled({}, {(0, "a", 1)})
    model = bounded_model(instance_of(wrong))
    kinds = [(promise.kind, promise.name) for promise in model.promises]
    assert kinds == [
        (Kind.STABLE, "closure"),
        (Kind.EVENTUALLY, "convergence"),
        (Kind.SOMETIMES, "not_vacuous"),
        (Kind.ALWAYS, "canonical"),
    ]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"copies": 2}, "deduplicating channels, at most 2 of the same message in flight"),
        (
            {"coalesce": False, "most": 3},
            "exact channels, at most 1 of the same message in flight, and at most 3 in all",
        ),
    ],
)
def test_the_bounds_are_said_in_words(more, words):
    assert instance_of(PING, **more).bounds() == words
    assert bounded_model(instance_of(PING, **more)).bounds == words


def test_a_message_that_is_sent_twice_at_once_coalesces_as_well():
    doubled = PING.changed(react=lambda *step: Outcome(0, (Send("b", 10), Send("b", 10))))
    model = bounded_model(replace(instance_of(doubled), messages=OneOf(())))
    (first, *_) = model.enabled(world())
    assert model.step(world(), first) == world(("b", 10))
