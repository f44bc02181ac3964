"""Few orders of independent steps show what all orders do, and each condition on them is needed."""

import pytest
from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.core.errors import UsageError
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.graph.lasso import replays
from gomboc.checker.explore.numbered.values import Values
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch, silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.reduced.examine import ENDLESS, LEFT_OUT, examine
from gomboc.checker.explore.reduced.futures import CycleError, expand_all
from gomboc.checker.explore.reduced.search import ReducedSearch
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.model import Offer, nothing_comes
from gomboc.spec.core.protocol import Discipline, never_asleep
from gomboc.spec.protocols.delta_fault_tolerance.models import FAR, LINE, NEAR, STAR, TWO, brokers
from tests.checker.explore.reduced.agreement import TOO_LARGE, differences, differences_of
from tests.checker.explore.reduced.drawn import drawn
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.plugins.promises import finding_on
from tests.sampling import share


def test_few_orders_of_steps_say_what_all_orders_say():
    compared = 0
    for seed in range(share(240)):
        found = differences(seed)
        assert found in ([], [TOO_LARGE]), seed
        compared += not found
    assert compared > share(240) // 2


def fifo(reactions, asleep=never_asleep, offers=nothing_comes, malformed=(), first=(0,), **parts):
    protocol = tabled(reactions, malformed=malformed).changed(
        discipline=Discipline.FIFO,
        asleep=asleep,
        offers=offers,
        projection=lambda value: value if value < 10 else None,
    )
    return replace(instance_of(protocol, first, coalesce=False, **parts), copies=99)


def always(*offers):
    return lambda states, in_flight: offers


SPENDERS = fifo(
    {(node, state, 77): ((state + 1, ()),) for node in "ab" for state in (0, 1)},
    offers=always(*(Offer(node, 77, "often", owed=True) for node in "ab")),
    budget=(("often", 2),),
)
"""Two nodes spend a budget of two, both of it or one each."""

WAKING = fifo(
    {("a", 0, None): ((1, (("b", 10),)),), ("b", 2, 77): ((0, ()),), ("b", 0, 10): ((1, ()),)},
    asleep=lambda local: local == 2,
    offers=lambda states, in_flight: (Offer("b", 77, "", owed=True),) if states["b"] == 2 else (),
    first=(0, 2),
    admits=lambda start: dict(start.locals) == {"a": 0, "b": 2},
)
"""A message to a node that is asleep, and wakes before it or after it."""

FALLING = fifo(
    {
        ("b", 0, None): ((1, (("a", 10),)),),
        ("b", 1, None): ((2, (("a", 12),)), (3, (("a", 12),))),
        ("a", 0, 10): ((4, ()),),
    },
    asleep=lambda local: local == 4,
    malformed={12},
)
"""A malformed message to a node that falls asleep by the message before it."""

WITNESSES = {
    "no new message becomes the first of a link": 66,
    "no sender of a waiting message falls asleep": 264,
    "no target of a message falls asleep or wakes": WAKING,
    "no chosen node falls asleep or wakes": FALLING,
    "no two deliveries come before one observer": 66,
    "no two commands have one budget": SPENDERS,
    "no commands depend on messages": 229,
    "the chosen nodes are offered the same": 539,
    "the other nodes are offered the same": 16,
}
"""For each condition an instance, or the seed of one, of which a wrong answer is given without it."""


def test_there_is_a_witness_for_each_condition():
    conditions = ReducedSearch(Values(drawn(0)), BoundWatch(Bounds())).conditions.every
    assert WITNESSES.keys() == conditions.keys()


@pytest.mark.parametrize("condition", WITNESSES)
def test_without_a_condition_some_answer_is_wrong(condition):
    witness = WITNESSES[condition]
    made = drawn(witness) if isinstance(witness, int) else witness
    assert differences_of(made, Question()) == []
    assert differences_of(made, Question(), without=condition) not in ([], [TOO_LARGE])


STAR_TALKS = brokers(0, STAR, {"0.3": FAR["0.2"]}, copies=1, publication=1, subscription=1)


def test_a_star_of_brokers_holds_in_fewer_states():
    exploration = examine(STAR_TALKS, Question(), silent)
    assert (exploration.extent.states, exploration.legitimate, exploration.exit_code()) == (850, 41, 3)
    unknown = [one.promise for one in exploration.findings if isinstance(one.verdict, Unknown)]
    assert unknown == ["closure"]
    assert finding_on(exploration, "closure").verdict == Unknown(LEFT_OUT)
    assert finding_on(exploration, "convergence", "the number of steps").worst == 14
    assert exploration.extent.bounds == (
        "exact channels without a bound, at most 1 publication, at most 1 subscription, as long as the operating "
        "assumption holds; few orders of independent steps"
    )


def test_a_violation_is_a_run_of_the_model():
    made = brokers(1, LINE, FAR, "never_closed", copies=9, crash=1)
    exploration = explore(made, "reduced", Question(), silent)
    assert (exploration.engine, exploration.exit_code()) == ("reduced", 1)
    model = bounded_model(made)
    for of in ("from every state", "every weakly fair run"):
        finding = finding_on(exploration, "convergence", of)
        assert isinstance(finding.verdict, Violated)
        assert replays(model, finding.run)
        assert not any(map(model.fair, model.enabled(finding.run.states[-1])))


ECHO = {("a", 0, None): ((1, (("b", 10),)),), ("b", 0, 10): ((0, (("a", 11),)),), ("a", 1, 11): ((1, (("b", 10),)),)}
"""A ping that is answered for ever."""


def test_where_a_run_never_ends_all_is_unknown():
    exploration = examine(fifo(ECHO), Question(), silent)
    assert exploration.exit_code() == 3
    assert {finding.verdict.why.partition(": ")[0] for finding in exploration.findings} == {ENDLESS.partition(": ")[0]}


def test_a_bound_on_states_leaves_all_unknown():
    exploration = examine(STAR_TALKS, Question(bounds=Bounds(most_states=20)), silent)
    assert exploration.exit_code() == 3
    assert exploration.extent.stopped == "the bound of 20 states was reached"


@pytest.mark.parametrize("bound", [{"copies": 3}, {"most": 4}])
def test_where_messages_pile_up_all_is_unknown(bound):
    endless = replace(fifo({("a", 0, None): ((0, (("b", 10),)),)}), **bound)
    exploration = examine(endless, Question(), silent)
    assert exploration.extent.stopped == "a run leads beyond the bound of the instance"
    assert exploration.exit_code() == 3


REFUSED = {
    "takes channels that keep an order only": (instance_of(tabled({}), coalesce=False), Question()),
    "takes exact channels only, since the order of steps matters where equal messages become one": (
        brokers(1, TWO, NEAR),
        Question(),
    ),
    "takes no two nodes for alike": (fifo({}, alike=("a", "b")), Question()),
    "knows the central scheduler only": (fifo({}), Question(scheduler=Scheduler.SYNCHRONOUS)),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_not_independent_is_refused(why):
    instance, question = REFUSED[why]
    with pytest.raises(UsageError, match=f"^The reduced explorer {why}: explore with --engine auto\\.$"):
        explore(instance, "reduced", question, silent)


def test_coins_are_tossed_in_every_order_and_their_expectation_is_unknown():
    reactions = {("a", 0, None): ((1, ()), (2, (("b", 10),))), ("b", 0, None): ((1, ()),)}
    exploration = examine(fifo(reactions), Question(), silent)
    assert isinstance(finding_on(exploration, "convergence", "from every state").verdict, Holds)
    assert finding_on(exploration, "convergence", "the expected number").verdict == Unknown(LEFT_OUT)


def test_a_long_chain_is_expanded_without_recursion_and_a_cycle_is_told():
    known = {}

    def expand(key, last):
        if key < last:
            yield key + 1
        known[key] = True

    expand_all(0, lambda key: expand(key, 50_000), known.__contains__)
    assert len(known) == 50_001
    with pytest.raises(CycleError):
        expand_all("x", lambda key: iter([key]), set().__contains__)


def test_a_protocol_that_raises_is_named():
    def offers(states, in_flight):
        raise KeyError("c")

    with pytest.raises(
        BadModelError, match=r"^The model tabled raises \(KeyError: 'c'\), while its steps are explored\.$"
    ):
        examine(fifo({}, offers=offers), Question(), silent)
