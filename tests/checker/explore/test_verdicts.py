"""A bound never makes a verdict better: on random systems a larger one only settles what was unknown.

For each kind of promise, each engine, fairness and kind of coins; with commands, budgets, observers, rounds and order.
"""

import re
from itertools import pairwise

import networkx
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.graph.examine import examine as plainly
from gomboc.checker.explore.graph.lasso import replays
from gomboc.checker.explore.graph.search import explore as graph_of
from gomboc.checker.explore.product.settle import Settled
from gomboc.checker.explore.questions.bounds import Bounds, silent
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.verdicts import ALWAYS, BOUNDED, EXPECTED, POSSIBLE, SOMETIMES, STABLE
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.model import Kind, everywhere
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.protocols.skip_ring.models import around_right, two
from gomboc.spec.protocols.skip_ring.small import first_labels, hearsay
from tests.checker.explore.alike import QUESTIONS, explored_alike, model_of
from tests.checker.explore.graph.graphs import drawn, finding, graph_model, graph_models
from tests.checker.explore.product.toys import known
from tests.checker.explore.table.protocols import NODES, instance_of, instances, stated_instances, tabled
from tests.checker.explore.table.test_rounds import ORDER_IS_FIXED
from tests.checker.explore.test_symmetry import symmetric_instances
from tests.plugins.promises import finding_on
from tests.sampling import share

KINDS = tuple(Kind)
EVERY = "every "
DRAWN_AS_THEY_ARE = (Phase.explicit, Phase.reuse, Phase.generate)
MOST = (1, 2, 3, 4)
COINS = re.compile(", with probability 1|, however the coins fall")


def verdicts(exploration):
    """The verdict on each property, in a word, and the number where one is claimed; commuting receipts are no promise.

    Whether coins are tossed may be seen beyond a bound only.
    """
    return {
        (one.promise, COINS.sub("", one.of)): (type(one.verdict), one.worst)
        for one in exploration.findings
        if one.promise != "commuting" and EXPECTED not in one.of
    }


def assert_only_settles(less, more):
    """What is known of the smaller part is known, and the same, of the larger one."""
    for claim, verdict in less.items():
        if verdict[0] is not Unknown:
            assert more.get(claim) == verdict, (claim, verdict, more.get(claim))


def assert_each_settles(explorations):
    for less, more in pairwise(map(verdicts, explorations)):
        assert_only_settles(less, more)


def explored(instance, question, engine="auto"):
    return explore(instance, engine, question, silent)


# Graphs, with all kinds of promises.


@settings(max_examples=share(600))
@given(graph_models(kinds=KINDS), QUESTIONS)
def test_what_is_said_of_a_part_of_a_graph_is_so_of_the_whole(model, question):
    whole = replace(model, within=everywhere)
    assert_each_settles([plainly(model, question), plainly(whole, question)])


@settings(max_examples=share(200))
@given(graph_models(kinds=KINDS), QUESTIONS)
def test_a_way_out_is_a_shortest_run_to_a_state_beyond_the_bound(model, question):
    graph = graph_of(model)
    network = drawn(graph)
    far = networkx.multi_source_dijkstra_path_length(network, set(range(graph.starts)), weight=None) if network else {}
    steps = [0] * bool(graph.outside) or [far[state] + 1 for state, after in enumerate(graph.targets) if -1 in after]
    for one in plainly(model, question).findings:
        if isinstance(one.verdict, Unknown) and "beyond the bound" in one.verdict.why:
            assert len(one.run.actions) == min(steps)
            assert replays(model, one.run)
            assert one.run.states[0] in model.initial()
            assert [model.within(state) for state in one.run.states] == [True] * min(steps) + [False]
        else:
            assert one.run is None or isinstance(one.verdict, Violated)


@settings(max_examples=share(200))
@given(graph_models(kinds=KINDS), QUESTIONS)
def test_a_goal_that_is_always_false_is_never_said_to_be_reached(model, question):
    never = replace(model, promises=tuple(replace(one, holds=lambda state: False) for one in model.promises))
    if graph_of(model).starts:
        for one in plainly(never, question).findings:
            assert not isinstance(one.verdict, Holds) or one.of.startswith(STABLE)


ONE_WAY_OUT = [(0, [("a", 1)]), (1, [("b", 2)])]


def test_each_claim_is_unknown_names_the_states_and_shows_the_nearest_way_out():
    model = graph_model(ONE_WAY_OUT, goals=(0, 1), kinds=KINDS, beyond=(2,))
    leads = "1 state leads beyond the bound, the nearest by a run of 2 steps; 2 states and 2 transitions"
    for of, more in ((ALWAYS, ""), (STABLE, ""), (POSSIBLE, ""), (EVERY, "no fair run stays within the bound; ")):
        result = finding(model, of)
        assert result.verdict == Unknown(f"{more}{leads}"), of
        assert result.run.states == (0, 1, 2)
    assert finding(model, SOMETIMES).verdict == Holds("it holds in 2 states")
    assert finding(model, BOUNDED) is None


def test_where_some_fair_runs_stay_the_states_from_which_none_does_are_counted():
    arrows = [(0, [("a", 1), ("b", 2)]), (1, [("a", 1)]), (2, [("b", 3)])]
    model = graph_model(arrows, goals=(1, 2), beyond=(3,))
    assert finding(model, EVERY).verdict.why.startswith(
        "from 1 of 3 states no fair run stays within the bound; 1 state"
    )


def test_a_run_that_stops_stays_within_the_bound():
    model = graph_model([(0, [("a", 1), ("b", 2)])], goals=(0, 1), beyond=(2,))
    assert finding(model, EVERY).verdict.why.startswith("1 state leads beyond the bound, ")


@pytest.mark.parametrize(("coins", "says"), [(True, "no fair run stays"), (False, "1 state leads beyond the bound, ")])
def test_of_a_coin_that_may_lead_beyond_no_result_keeps_a_run_within(coins, says):
    model = graph_model([(0, [("a", 0), ("a", 1)])], goals=(0,), beyond=(1,), coins=coins)
    assert finding(model, EVERY).verdict.why.startswith(says)
    assert finding(model, EVERY, coins=Coins.ADVERSARY).verdict.why.startswith("1 state leads beyond the bound, ")


def test_a_coin_that_may_lead_beyond_has_no_expectation():
    model = graph_model([(0, [("a", 0), ("a", 1), ("a", 2)]), (2, [])], goals=(2,), beyond=(1,), coins=True)
    result = finding(model, EXPECTED)
    assert result.verdict.why.startswith("1 state leads beyond the bound, the nearest by a run of 1 step; ")
    assert result.run.states == (0, 1)


def test_what_is_violated_within_the_bound_is_violated():
    model = graph_model([(0, [("a", 0), ("b", 1)]), (1, [("a", 2)])], goals=(1,), kinds=KINDS, beyond=(2,))
    assert isinstance(finding(model, ALWAYS).verdict, Violated)
    assert isinstance(finding(model, EVERY, fairness=Fairness.NONE).verdict, Violated)
    ends = graph_model([(0, [("a", 1), ("b", 2)])], goals=(0,), kinds=KINDS, beyond=(2,))
    assert isinstance(finding(ends, STABLE).verdict, Violated)
    assert isinstance(finding(ends, POSSIBLE).verdict, Violated)
    assert isinstance(finding(ends, EVERY).verdict, Violated)


def test_an_initial_state_beyond_the_bound_leaves_everything_open():
    model = graph_model([(0, [])], goals=(0,), starts=(0, 1), kinds=KINDS, beyond=(1,))
    leads = "1 initial state is beyond the bound, the nearest by a run of 0 steps; 1 state and 0 transitions"
    for of in (ALWAYS, STABLE, POSSIBLE, EVERY):
        assert finding(model, of).verdict == Unknown(leads), of
        assert finding(model, of).run.states == (1,)
    alone = graph_model([], starts=(1,), kinds=KINDS, beyond=(1,))
    assert finding(alone, SOMETIMES).verdict.why.startswith("1 initial state is beyond the bound, ")


# Instances, by every engine.


def by_tables(bounded, question, chosen):
    """What tables say of an instance with each bound; with that one, it is what the plain explorer says."""
    for number, one in enumerate(bounded):
        yield explored_alike(one, question) if number == chosen else explored(one, question, "table")


@pytest.mark.parametrize("discipline", [Discipline.UNORDERED, Discipline.ROUNDS])
@settings(max_examples=share(120), deadline=None)
@given(made=instances(), question=QUESTIONS, chosen=st.integers(0, 3))
def test_a_larger_bound_settles_more_and_nothing_otherwise(discipline, made, question, chosen):
    """Deduplicating channels are exact without a bound: there are finitely many messages."""
    made = replace(made, coalesce=True, protocol=replace(made.protocol, discipline=discipline), in_flight=1)
    with ORDER_IS_FIXED:
        every = [*by_tables((replace(made, most=most) for most in (*MOST, None)), question, chosen)]
        assert not every[-1].extent.exceeding
        assert_each_settles(every)


@settings(max_examples=share(120), deadline=None)
@given(made=instances(), question=QUESTIONS, chosen=st.integers(0, 1))
def test_more_copies_in_exact_channels_settle_more_and_nothing_otherwise(made, question, chosen):
    bounded = [replace(made, coalesce=False, copies=copies, most=2 * copies, in_flight=1) for copies in (1, 2, 3)]
    assert_each_settles([*by_tables(bounded[:2], question, chosen), explored_alike(bounded[2], question)])


@settings(max_examples=share(120), deadline=None)
@given(made=instances(), question=QUESTIONS)
def test_nor_do_more_copies_at_first(made, question):
    bounded = [replace(made, coalesce=False, copies=copies, most=2 * copies, in_flight=2) for copies in (1, 2, 3)]
    assert_each_settles([explored(one, question) for one in bounded])


def test_a_start_with_more_copies_than_exact_channels_hold_is_beyond_the_bound():
    twice = tabled({("b", 0, 10): ((1, ()),), ("b", 1, 10): ((2, ()),)}, {(0, "b", 2)})
    one, two = (
        instance_of(twice, messages=(("b", 10),), in_flight=2, copies=copies, coalesce=False) for copies in (1, 2)
    )
    found = [{verdict for verdict, _ in verdicts(explored(made, Question())).values()} for made in (one, two)]
    assert found == [{Unknown, Holds}, {Violated, Holds}]
    assert explored(one, Question()).extent.outside == 1


@pytest.mark.parametrize("discipline", [Discipline.UNORDERED, Discipline.ROUNDS])
@settings(max_examples=share(60), deadline=None, phases=DRAWN_AS_THEY_ARE)
@given(made=stated_instances(), question=QUESTIONS)
def test_commands_budgets_observers_and_sleepers_change_nothing_in_that(discipline, made, question):
    made = replace(made, coalesce=True, protocol=replace(made.protocol, discipline=discipline), in_flight=0)
    with ORDER_IS_FIXED:
        assert_each_settles([explored(replace(made, most=most), question) for most in (1, 2, None)])


@settings(max_examples=share(60), deadline=None, phases=DRAWN_AS_THEY_ARE)
@given(made=stated_instances(), question=QUESTIONS)
def test_nor_does_the_order_of_channels(made, question):
    """There may be infinitely many contents of ordered channels: more and more of them are searched."""
    made = replace(made, protocol=replace(made.protocol, discipline=Discipline.FIFO), in_flight=0)
    searched = replace(question, bounds=Bounds(most_states=2_000))
    assert_each_settles([explored(replace(made, most=most), searched) for most in (1, 2, 3)])


@settings(max_examples=share(60), deadline=None)
@given(made=symmetric_instances())
def test_nor_do_nodes_that_are_alike(made):
    one = replace(made, in_flight=min(1, made.in_flight))
    assert_each_settles([explored(replace(one, most=most), Question(), "table") for most in (1, 2, 3, None)])


@settings(max_examples=share(60), deadline=None)
@given(made=instances(), question=QUESTIONS, most=st.integers(1, 3))
def test_a_protocol_that_is_never_right_is_never_said_to_converge(made, question, most):
    never = made.protocol.changed(anchor_faults=lambda anchor: ("never right",))
    for one in explored(replace(made, protocol=never, in_flight=1, most=most), question).findings:
        assert one.promise not in ("convergence", "not_vacuous") or not isinstance(one.verdict, Holds)


@settings(max_examples=share(60), deadline=None)
@given(made=instances(), question=QUESTIONS, most=st.integers(1, 3))
def test_every_engine_shows_the_way_out_step_by_step(made, question, most):
    made = replace(made, in_flight=1, most=most)
    model = model_of(made)
    for one in explored_alike(made, question).findings:
        if isinstance(one.verdict, Unknown) and one.run is not None:
            assert replays(model, one.run)
            assert [model.within(state) for state in one.run.states] == [True] * len(one.run.actions) + [False]


TELLS = {("a", 0, None): ((0, (("b", 10), ("b", 11))),)}
"""Node "a" tells "b" two things at every timeout."""


def test_more_messages_at_first_than_the_bound_has_are_initial_states_beyond_it():
    both = tuple((node, message) for node in NODES for message in (10, 11))
    made = instance_of(tabled({}), messages=both, in_flight=2, most=1)
    exploration = explored(made, Question(), "plain")
    assert (exploration.extent.starts, exploration.extent.outside) == (5, 6)
    assert exploration.exit_code() == 3
    any_number = explored(made, Question())
    assert (any_number.engine, any_number.exit_code()) == ("plain", 0), "settled for any number of messages"
    assert finding_on(exploration, "closure").verdict.why.startswith("6 initial states are beyond the bound, ")


def test_where_all_initial_states_are_beyond_the_bound_that_is_said():
    both = (("a", 10), ("a", 11))
    alone = instance_of(tabled({}), messages=both, in_flight=2, most=1, admits=lambda start: len(start.in_flight) == 2)
    exploration = explored(alone, Question(), "plain")
    assert exploration.extent.starts == 0
    assert finding_on(exploration, "closure").verdict.why.startswith("1 initial state is beyond the bound, ")


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_where_no_fair_run_fits_nothing_is_said_of_fair_runs(most):
    made = instance_of(tabled(TELLS), most=most)
    (every,) = [one for one in explored(made, Question(), "table").findings if one.of.startswith(EVERY)]
    assert isinstance(every.verdict, Unknown if most == 1 else Holds)
    assert every.verdict == Holds(every.verdict.claim) if most > 1 else "no fair run stays" in every.verdict.why


# The printed Linearize, which has a fair run that never converges.


def convergence(made, engine="auto", **question):
    return finding_on(explored(made, Question(**question), engine), "convergence", EVERY)


@pytest.mark.parametrize("most", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.dear)])
def test_the_printed_linearize_never_converges_at_any_bound(most):
    printed = around_right(2, hearsay(2, first_labels(4)), most, False, "printed_linearize")
    result = convergence(printed)
    assert isinstance(result.verdict, Unknown if most < 4 else Violated)
    ours = around_right(2, hearsay(2, first_labels(4)), most, False)
    assert isinstance(convergence(ours, "table").verdict, Unknown)
    assert isinstance(known(ours).convergence, Settled), "for any number of messages"
    model = bounded_model(printed)
    assert replays(model, result.run)
    assert all(map(model.within, result.run.states)) == (most >= 4)


def test_no_fair_run_of_two_stays_with_one_message_in_flight():
    assert convergence(two(labels=1, in_flight=0, most=1), "table").verdict.why.startswith(
        "no fair run stays within the bound; "
    )
