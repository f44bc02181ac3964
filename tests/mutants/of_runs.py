"""Killers that look at runs: closure from every side, the cost of a right ring, and convergence from anywhere."""

from collections import Counter
from functools import partial
from random import Random

from msgspec.structs import replace

from gomboc.spec.core.domain import sample
from gomboc.spec.core.model import Commanded, Received, Timeout
from gomboc.spec.core.protocol import Size, legitimacy_faults
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import (
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    SetData,
    Subscriber,
    Supervisor,
    WantIn,
    WantOut,
)
from tests.mutants import reference_model
from tests.mutants.steps import outcomes


def names(nodes):
    """The names of that many subscribers; the first is not the one with the lowest label."""
    return [f"v{number}" for number in range(nodes, 0, -1)]


def closure_with_harmless_messages():
    """Closure, by induction: no timeout and no harmless message disturbs a right ring or sends anything false.

    Every step touches one node, so one input at a time is every case that there is.

    Source: Definition 1; Theorem 13
    """
    for nodes in (*range(1, 6), 8, 9):
        states = reference_model.world_of(names(nodes), ("w",))
        database = states[SUPERVISOR].database
        for node, local in states.items():
            messages = reference_model.harmless_messages(database, node, ("w",)) if nodes <= 5 else ()
            for taken in (Timeout(), *map(Received, messages)):
                yield from _disturbances(states, node, local, taken)


def _disturbances(states, node, local, taken):
    for _, outcome in outcomes(node, local, taken):
        sent = [(send.target, send.message) for send in outcome.sends]
        if not reference_model.is_legitimate({**states, node: outcome.local}, sent):
            yield f"{node} of {len(states) - 2} is disturbed, or says something false, by {taken}"
        targets = [
            target for target, message in sent if reference_model.nodes_in(message) == {target} and target != SUPERVISOR
        ]
        if targets and isinstance(taken, Timeout):
            yield f"{targets[0]} is told of itself by the timeout of {node} of {len(states) - 2}"


def what_is_called_legitimate_is_closed():
    """A state that the specification calls legitimate stays so by its own account, after every step.

    Source: Definition 1
    """
    random, domain = Random(5), PROTOCOL.space(Size(3, 1))
    right = reference_model.world_of(["v1", "v2"], ("v3",))
    for _ in range(1500):
        start = sample(domain, random)
        for states in (right, {**right, **dict([random.choice(start.locals)])}):
            if not legitimacy_faults(PROTOCOL, states, start.in_flight):
                yield from _ends(states, start.in_flight)


def _ends(states, in_flight):
    inputs = [(node, Timeout(), in_flight) for node in states]
    inputs += [(target, Received(message), ()) for target, message in in_flight]
    for node, taken, left in inputs:
        for _, outcome in outcomes(node, states[node], taken):
            sent = (*left, *((send.target, send.message) for send in outcome.sends))
            if legitimacy_faults(PROTOCOL, {**states, node: outcome.local}, sent):
                yield f"{states} with {in_flight} is called legitimate until {node} takes {taken}"


def a_right_ring_costs_two_checks_for_each_edge():
    """In each round of a right ring there are two checks for each stored ring edge, introductions, and no more.

    Source: Section 3.2; Algorithm 4, lines 22-30 (Deviation: an unchanged shortcut costs nothing)
    """
    for nodes in (1, 2, 3, 4, 7, 8, 9):
        states, in_flight = reference_model.world_of(names(nodes)), []
        checks = sum(len(reference_model.slots(local)) for node, local in states.items() if node != SUPERVISOR)
        for _ in range(nodes + 2):
            in_flight = play_round(states, in_flight)
            kinds = Counter(type(message) for _, message in in_flight)
            others = set(kinds) - {Check, IntroduceShortcut, SetData, GetConfiguration}
            if others or kinds[Check] != checks:
                counts = {kind.__name__: times for kind, times in kinds.items()}
                yield f"a round of a right ring of {nodes} leaves {counts} in flight, not {checks} checks"


def play_round(states, in_flight):
    """Everything in flight is delivered, then all nodes time out and no coin says ask; the messages then in flight."""
    inputs = [(target, Received(message)) for target, message in in_flight]
    inputs += [(node, Timeout()) for node in sorted(states)]
    sent = []
    for node, taken in inputs:
        _, outcome = outcomes(node, states[node], taken)[-1]
        states[node] = outcome.local
        sent += [(send.target, send.message) for send in outcome.sends]
    return sent


def shortcuts_come_back():
    """Once the ring is right, all shortcuts are established, a level a round. Source: Lemma 12."""
    for nodes in (*range(2, 14), 16, 17):
        right = reference_model.world_of(names(nodes))
        states = {node: _without_shortcuts(local) for node, local in right.items()}
        in_flight = []
        for _ in range(8):
            in_flight = play_round(states, in_flight)
        wrong = [node for node, local in right.items() if isinstance(local, Subscriber) and states[node] != local]
        if wrong:
            yield f"eight rounds after all shortcuts of {nodes} were forgotten, those of {wrong[0]} are not right"


def _without_shortcuts(local):
    if isinstance(local, Supervisor):
        return local
    return replace(local, shortcuts=tuple(replace(entry, node=None) for entry in local.shortcuts))


class Run:
    """A run under a fair random schedule: every message in flight and every timeout is as likely to come next.

    Unless it is `supervised`, nothing reaches the supervisor.
    """

    def __init__(self, states, in_flight, seed, supervised=True):
        self._supervised = supervised
        self.states, self.in_flight, self.random = dict(states), list(in_flight), Random(seed)
        self._names = sorted(self.states)

    def step(self):
        """One step at random, the coins as they should fall."""
        index = self.random.randrange(len(self.in_flight) + len(self._names))
        if index < len(self._names):
            return self.take(self._names[index], Timeout())
        index -= len(self._names)
        self.in_flight[index], self.in_flight[-1] = self.in_flight[-1], self.in_flight[index]
        target, message = self.in_flight.pop()
        return self.take(target, Received(message))

    def take(self, node, taken):
        """One input of one node."""
        fallen = outcomes(node, self.states[node], taken)
        chances = [float(choice.probability) for choice, _ in fallen]
        _, outcome = fallen[0] if len(fallen) == 1 else self.random.choices(fallen, chances)[0]
        self.states[node] = outcome.local
        sent = [(send.target, send.message) for send in outcome.sends]
        self.in_flight += sent if self._supervised else [message for message in sent if message[0] != SUPERVISOR]

    def steps_until(self, goal, most):
        """After how many steps `goal` holds, looked at now and then; None if it takes more than `most`."""
        for number in range(most):
            if number % len(self._names) == 0 and goal(self):
                return number
            self.step()
        return most if goal(self) else None


def is_right(run, members):
    """Whether a run has become the ring of exactly these members."""
    recorded = {entry.node for entry in run.states[SUPERVISOR].database}
    return recorded == set(members) and reference_model.is_legitimate(run.states, run.in_flight)


def most_steps(nodes):
    """Several times the steps of the worst run that we have seen."""
    return 500 + 600 * nodes


def convergence_from_anywhere():
    """From arbitrary states and messages, a fair random run becomes the ring of all, and stays it for a while.

    Source: Theorem 8
    """
    for nodes, runs in ((1, 40), (2, 150), (3, 150), (4, 80), (6, 20)):
        domain, random = PROTOCOL.space(Size(nodes, 2 * nodes)), Random(nodes)
        for seed in range(runs):
            start = sample(domain, random)
            run = Run(start.locals, start.in_flight, seed)
            yield from _fails(run, [name for name, _ in start.locals if name != SUPERVISOR], f"start {seed}")


def _fails(run, members, name):
    most = most_steps(len(members))
    if run.steps_until(partial(is_right, members=members), most) is None:
        yield f"after {most} steps, {name} of {len(run.states) - 1} is not the ring of all that belong to it"
        return
    for _ in range(30):
        run.step()
        if not reference_model.is_legitimate(run.states, run.in_flight):
            yield f"{name} of {len(run.states) - 1} became right, and did not stay so"
            return


def convergence_after_commands():
    """Each leaver is disconnected, each joiner is integrated, in any order of their requests. Source: Lemma 6."""
    for nodes in (1, 2, 3, 5):
        for seed in range(6):
            members = names(nodes)
            run = Run(reference_model.world_of(members, ("w",)), (), seed)
            leaver = members[seed % nodes]
            run.take(leaver, Commanded(WantOut()))
            run.take("w", Commanded(WantIn()))
            belonging = {*members, "w"} - {leaver}
            yield from _fails(run, belonging, f"{leaver} leaving and w joining a ring")
            if reference_model.known_to(run.states[leaver]):
                yield f"{leaver} has left, and still knows {reference_model.known_to(run.states[leaver])}"


def the_ring_forms_without_the_supervisor():
    """Where all labels are right and all are connected, ring and shortcuts form though the supervisor says nothing.

    Source: Section 2.2; Lemmas 4 and 12; Theorem 8
    """
    for nodes, runs in ((2, 100), (3, 150), (4, 150), (6, 60), (9, 10)):
        right = {node: u for node, u in reference_model.world_of(names(nodes)).items() if node != SUPERVISOR}
        domain, random = PROTOCOL.space(Size(nodes, nodes)), Random(nodes)
        for seed in range(runs):
            states, in_flight = _labelled(sample(domain, random), right)
            if not _is_connected(states, in_flight):
                continue
            run = Run(states, in_flight, seed, supervised=False)
            if run.steps_until(partial(_has_formed, right=right), most_steps(nodes)) is None:
                wrong = sorted(node for node, u in right.items() if run.states[node] != u)
                yield f"without the supervisor, {', '.join(wrong)} of {nodes} never find their places from start {seed}"


def _labelled(start, right):
    """The subscribers of a start with the labels that are theirs, and the others in some place of theirs."""

    def true(claim):
        return Claim(right[claim.node].label, claim.node) if claim and claim.node != SUPERVISOR else None

    states, in_flight = {}, []
    for node, u in start.locals:
        if node != SUPERVISOR:
            slots = {slot: true(getattr(u, slot)) for slot in ("left", "right", "ring")}
            states[node] = Subscriber(right[node].label, **slots)
    for target, message in start.in_flight:
        match message:
            case Linearize(claim) | IntroduceShortcut(claim) | Introduce(claim, _) | Present(claim, _) if true(claim):
                in_flight.append((target, replace(message, claim=true(claim))))
    return states, [sent for sent in in_flight if sent[0] != SUPERVISOR]


def _is_connected(states, in_flight):
    """Whether all nodes are connected by references for the list, stored or in flight.

    Two nodes that know each other by closing edges alone each take the other for the other end, and ask no further.
    """
    meant = [(target, message) for target, message in in_flight if getattr(message, "flag", LIST) == LIST]
    edges = [{node, claim.node} for node, u in states.items() for claim in (u.left, u.right) if claim]
    edges += [{target, message.claim.node} for target, message in meant]
    reached = {min(states)}
    for _ in states:
        reached = reached.union(*(edge for edge in edges if edge & reached))
    return reached == set(states)


def _has_formed(run, right):
    return run.states == right
