"""The toys: their runs under each discipline, and for each a bad trace that only its discipline forbids."""

from collections import deque

import pytest
from msgspec.structs import replace

from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.checker.simulate.spec_runner import Player
from gomboc.checker.summary.verdict_row import row_of
from gomboc.spec.core.domain import OneOf, count, enumerate_values
from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.model import Commanded, Received, Timeout
from gomboc.spec.core.network import begin, enabled, is_legitimate, step
from gomboc.spec.core.protocol import Discipline, Size
from tests.toys.crowd.spec import PROTOCOL as CROWD
from tests.toys.crowd.spec import Crash, Join, Suspect
from tests.toys.distances.spec import PROTOCOL as DISTANCES
from tests.toys.distances.spec import Crash as LineCrash
from tests.toys.judging import judged
from tests.toys.queue.spec import PROTOCOL as QUEUE
from tests.toys.queue.spec import Crash as QueueCrash
from tests.toys.queue.spec import Publish
from tests.toys.queue.spec import Restart as QueueRestart

TOYS = (CROWD, QUEUE, DISTANCES)


def instance(protocol, start, most, **budget):
    """The instance that begins like that, with at most so many messages in flight."""
    roles = dict(start.roles)
    return Instance(
        protocol=protocol,
        locals=tuple((node, roles[node], OneOf((local,))) for node, local in start.locals),
        messages=OneOf(()),
        in_flight=0,
        copies=1,
        most=most,
        coalesce=protocol is not QUEUE,
        budget=tuple(budget.items()),
    )


def reached(made, most=20_000):
    """Every state that is within the bounds of an instance, and each act that was taken."""
    model = bounded_model(made)
    left, seen, acts = deque(model.initial()), set(model.initial()), set()
    while left:
        world = left.popleft()
        assert len(seen) < most
        for act in model.enabled(world):
            acts.add(type(act.input.command) if isinstance(act.input, Commanded) else type(act.input))
            then = model.step(world, act)
            if then not in seen and model.within(then):
                seen.add(then)
                left.append(then)
    return model, seen, acts


@pytest.mark.parametrize("protocol", TOYS, ids=lambda protocol: protocol.name)
def test_each_toy_is_legitimate_where_it_says_and_its_starts_are_any(protocol):
    for nodes in (2, 3):
        made = protocol.starts.start(nodes)
        assert legitimacy_faults(protocol, dict(made.locals), made.in_flight) == ()
        assert protocol.naming.misnamed(dict(made.roles)) is None
    space = protocol.starts.space(Size(2, 1))
    assert count(space) == len(set(enumerate_values(space))) > 4


@pytest.mark.parametrize("protocol", TOYS, ids=lambda protocol: protocol.name)
def test_each_toy_converges_in_rounds_from_wherever_it_is_promised(protocol):
    for start in enumerate_values(protocol.starts.space(Size(2, 1))):
        if premise_faults(protocol, dict(start.locals), start.in_flight):
            continue
        world = begin(start, protocol.discipline)
        for _ in range(protocol.starts.bound(2)):
            world = one_round(protocol, world)
        assert is_legitimate(protocol, world)
        assert is_legitimate(protocol, one_round(protocol, world))


def one_round(protocol, world):
    """All messages in flight arrive, then every node has a timeout."""
    for kind in (Received, Timeout):
        due = len(world.channels.in_flight) if kind is Received else len(world.locals)
        names = iter(sorted(world.states()))
        for _ in range(due):
            acts = [act for act in enabled(protocol, world) if isinstance(act.input, kind)]
            if kind is Timeout:
                me = next(names)
                acts = [act for act in acts if act.node == me]
            world = step(protocol, world, acts[0]) if acts else world
    return world


def test_no_node_knows_itself_any_node_that_joins_and_crashes_within_the_assumption():
    start = next(iter(enumerate_values(CROWD.starts.space(Size(2, 0, outside=1)))))
    whole = replace(start, locals=(*CROWD.starts.start(2).locals, start.locals[2]))
    model, seen, acts = reached(instance(CROWD, whole, 2, join=1, crash=1))
    assert {Join, Crash, Suspect} <= acts
    (kept,) = (promise for promise in model.promises if promise.name == "no_node_knows_itself")
    assert all(kept.holds(world) for world in seen)
    assert {sum(local.live for local in world.states().values()) for world in seen} == {2, 3}, "two are always there"


def test_each_is_delivered_once_and_in_order_because_links_are_first_in_first_out():
    made = instance(QUEUE, QUEUE.starts.start(1), 3, publish=2, crash=1, restart=1)
    model, seen, acts = reached(made)
    assert Publish in acts
    (kept,) = (promise for promise in model.promises if promise.name == "once_in_order")
    assert all(kept.holds(world) for world in seen)
    unordered = replace(made, protocol=replace(QUEUE, discipline=Discipline.UNORDERED))
    model, seen, _ = reached(unordered)
    (broken,) = (promise for promise in model.promises if promise.name == "once_in_order")
    assert not all(broken.holds(world) for world in seen), "an overtaking breaks it"


def test_a_line_goes_on_in_rounds_any_node_that_crashes():
    model, seen, _ = reached(instance(DISTANCES, DISTANCES.starts.start(2), None, crash=1))
    assert all(model.enabled(world) for world in seen), "no round ever waits for who has crashed"


def played(protocol, nodes=2):
    return Player(protocol, protocol.starts.start(nodes))


def test_an_overtaking_is_forbidden_by_order_alone():
    for order, verdict in (([0, 1], "holds"), ([1, 0], "violated")):
        player = played(QUEUE, 1)
        for _ in order:
            player.command("p", Publish())
        for message in order:
            player.deliver(message)
        judgement = judged(player)
        assert row_of(judgement).conformance == verdict
        if verdict == "violated":
            assert (judgement.conformance.step, judgement.conformance.rule) == (3, "delivered_in_order")
            assert {promise.name: type(promise.verdict) for promise in judgement.promises} == {"once_in_order": Unknown}
    unordered = played(replace(QUEUE, discipline=Discipline.UNORDERED), 1)
    for _ in range(2):
        unordered.command("p", Publish())
    unordered.deliver(1)
    unordered.deliver(0)
    judgement = judged(unordered)
    assert isinstance(judgement.conformance, Holds)
    assert (judgement.promises[0].verdict.step, judgement.promises[0].verdict.rule) == (4, "once_in_order")


def test_a_delivery_in_the_round_of_its_sending_is_forbidden_in_rounds_alone():
    for discipline, verdict in ((Discipline.ROUNDS, Violated), (Discipline.UNORDERED, Holds), (Discipline.FIFO, Holds)):
        player = played(replace(DISTANCES, discipline=discipline))
        player.timeout("n0")
        player.deliver(0)
        judgement = judged(player)
        assert isinstance(judgement.conformance, verdict)
    rightly = played(DISTANCES)
    for _ in range(4):
        rightly.round()
    assert judged(rightly).exit_code() == 0


def test_a_message_that_arrives_twice_is_forbidden_under_every_discipline():
    for protocol in TOYS:
        player = played(protocol)
        for node in sorted(player.states):
            player.timeout(node)
        player.deliver(0)
        player.lines.append(player.lines[-1])
        assert judged(player).conformance.rule == "delivered_once"


def test_what_a_crashed_publisher_has_in_flight_is_lost_from_some_point_on():
    player = played(QUEUE, 1)
    for _ in range(2):
        player.command("p", Publish())
    player.command("p", QueueCrash())
    player.deliver(0)
    player.command("p", QueueRestart())
    player.timeout("p")
    player.deliver(2)
    assert isinstance(judged(player).conformance, Holds), "message 1 is lost, and what is new comes by a new link"
    player.deliver(1)
    assert judged(player).conformance.rule == "delivered_in_order"


def test_rounds_of_a_line_go_on_when_the_last_one_crashes():
    player = played(DISTANCES, 3)
    player.timeout("n0")
    player.timeout("n1")
    player.command("n2", LineCrash())
    for _ in range(3):
        for message, (target, _) in tuple(player.waiting.items()):
            if target != "n2":
                player.deliver(message)
        player.timeout("n0")
        player.timeout("n1")
    judgement = judged(player)
    assert (judgement.exit_code(), judgement.rounds_after) == (0, 3)


def test_a_crowd_that_joins_and_crashes_converges_and_a_broken_assumption_makes_it_unknown():
    start = next(iter(enumerate_values(CROWD.starts.space(Size(2, 0, outside=1)))))
    player = Player(CROWD, replace(start, locals=(*CROWD.starts.start(2).locals, start.locals[2])))
    player.command("c", Join("a"))
    for _ in range(4):
        player.round()
    assert judged(player).exit_code() == 0
    assert player.states["b"].known == ("a", "c")
    player.command("b", Crash())
    player.round()
    for node in "ac":
        player.command(node, Suspect("b"))
    for _ in range(6):
        player.round()
    assert judged(player).exit_code() == 0
    steps = len(player.lines)
    player.command("c", Crash())
    player.round()
    judgement = judged(player)
    assert judgement.closure == Unknown(f'assumption broken at step {steps}: two_are_there, found ["a"]')
    assert {type(promise.verdict) for promise in judgement.promises} == {Unknown}
    assert (isinstance(judgement.conformance, Holds), judgement.exit_code()) == (True, 3)


def test_a_crowd_that_is_apart_is_not_promised_to_converge():
    alone = next(iter(enumerate_values(CROWD.starts.space(Size(3, 0)))))
    player = Player(CROWD, alone)
    for _ in range(20):
        player.round()
    judgement = judged(player)
    assert judgement.convergence.why.startswith("premise: weakly_connected at b is false at the start")
    assert judgement.exit_code() == 3


def test_the_authority_of_a_crowd_is_asked_for_only_where_some_node_joins_or_crashes():
    asked = []

    def anchor(shares):
        asked.append(1)
        return CROWD.legitimacy.anchor(shares)

    player = played(CROWD.changed(anchor=anchor), 3)
    for _ in range(5):
        player.round()
    player.command("b", Crash())
    player.round()
    assert judged(player).steps > 50
    assert len(asked) <= 3 + 1, "at the start, at the one crash, and where faults are named"


@pytest.mark.parametrize(("roles", "says"), [((("n0", "node"), ("x", "node")), "so 'n1' is wrong"), ((), "")])
def test_nodes_that_make_no_line_are_refused(roles, says):
    assert says in (DISTANCES.naming.misnamed(dict(roles)) or "")
