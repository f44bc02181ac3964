"""Killers that look at single steps of a subscriber from any state: the properties of every rule, and of timeouts."""

from fractions import Fraction
from functools import partial

from msgspec.structs import replace

from gomboc.spec.core.model import Commanded, Received
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    Linearize,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Suspect,
    Unsubscribe,
    WantIn,
    WantOut,
)
from gomboc.spec.protocols.skip_ring.wellformed import FIELDS
from tests.mutants import reference_model
from tests.mutants.steps import (
    FOR_SUPERVISOR,
    ME,
    naming_the_supervisor,
    outcomes,
    received,
    sampled,
    starts,
    take,
    timeouts,
)


def every_step_is_well_formed():
    """A step leaves and sends canonical values, sends to others only, and changes no wish."""
    for step in sampled():
        if any(map(partial(FIELDS.malformed, None), (step.after, *(message for _, message in step.sent)))):
            yield f"something malformed is left or sent by {step}"
        if ME in {target for target, _ in step.sent}:
            yield f"it sends to itself, by {step}"
        if step.after.wants != step.before.wants:
            yield f"its wish changes, by {step}"
        if ME in reference_model.known_to(step.after) and not isinstance(step.message, FOR_SUPERVISOR):
            yield f"it refers to itself, after {step}"


def the_supervisor_is_no_neighbour():
    """A node that took the supervisor for a subscriber does so no more, and tells no node to.

    Source: Section 1.1, the supervisor beside the ring
    """
    for step in naming_the_supervisor():
        if isinstance(step.message, FOR_SUPERVISOR):
            continue
        if SUPERVISOR in reference_model.known_to(step.after):
            yield f"the supervisor is a neighbour after {step}"
        for target, message in step.sent:
            if SUPERVISOR in reference_model.nodes_in(message):
                yield f"the supervisor is named to {target} by {step}"
            if target == SUPERVISOR and not isinstance(message, FOR_SUPERVISOR):
                yield f"the supervisor is told {message} by {step}"


def the_supervisor_is_no_subscriber():
    """A request to the supervisor about itself, or a report on itself by its failure detector, has no effect.

    Source: Section 3.1, "subscribers and their labels"
    """
    database = reference_model.database_of(["a", "b"])
    said = (Commanded(Suspect(SUPERVISOR)), *(Received(kind(SUPERVISOR)) for kind in FOR_SUPERVISOR))
    for taken in said:
        ((_, outcome),) = outcomes(SUPERVISOR, Supervisor(database), taken)
        if outcome.local != Supervisor(database) or outcome.sends:
            yield f"{taken} makes {outcome.local}, and sends {outcome.sends}"


def commands_change_the_wish():
    """An application's command changes its wish, and nothing else. Source: Section 4.1."""
    for command, wants in ((WantIn(), True), (WantOut(), False)):
        for u in (Subscriber("0"), Subscriber(None, wants=False)):
            ((_, outcome),) = outcomes(ME, u, Commanded(command))
            if outcome.local != replace(u, wants=wants) or outcome.sends:
                yield f"{command} makes {outcome.local} of {u}"


def no_reference_is_lost():
    """A node that was known or named is known afterwards, or told something, or another node is told of it.

    RemoveConnections forgets the node that it names; a configuration may name a neighbour that cannot be one.
    """
    for step in sampled():
        exempt = isinstance(step.message, (RemoveConnections, SetData, *FOR_SUPERVISOR))
        references = reference_model.known_to(step.before) | (
            set() if exempt else reference_model.nodes_in(step.message)
        )
        if isinstance(step.message, RemoveConnections):
            references -= {step.message.node}
        lost = references - {ME} - reference_model.known_to(step.after) - step.told()
        if lost:
            yield f"{', '.join(sorted(lost))} is lost by {step}"


def any_node_that_asks_to_be_forgotten_is_forgotten():
    """Nothing refers to it any more, a shortcut keeps its label, and the rest stays. Source: Section 4.1; Lemma 6."""
    for step in received():
        if isinstance(step.message, RemoveConnections):
            gone = {step.message.node, ME}
            u = step.before
            left, right, ring = (None if claim and claim.node in gone else claim for claim in (u.left, u.right, u.ring))
            shortcuts = tuple(
                Entry(shortcut.label, None if shortcut.node in gone else shortcut.node) for shortcut in u.shortcuts
            )
            if step.after != replace(u, left=left, right=right, ring=ring, shortcuts=shortcuts) or step.sent:
                yield f"{step.after} is left by {step}"


def those_without_a_label_ask_to_be_forgotten():
    """A node without a label answers a named node by RemoveConnections, and knows no node. Source: Section 4.1."""
    for step in received():
        if step.before.label is None and not isinstance(step.message, (SetData, RemoveConnections)):
            named = reference_model.nodes_in(step.message) - {ME}
            if step.sent != [(node, RemoveConnections(ME)) for node in named]:
                yield f"{step.sent} is sent by {step}"
    for step in (*timeouts(), *received()):
        label = step.message.label if isinstance(step.message, SetData) else step.before.label
        if label is None and (step.message is None or isinstance(step.message, SetData)):
            known = reference_model.known_to(step.before) - {ME}
            forgetting = {target for target, message in step.sent if message == RemoveConnections(ME)}
            if forgetting != known or reference_model.known_to(step.after):
                yield f"{sorted(forgetting)} are asked to forget it, of {sorted(known)}, by {step}"


def the_coin_is_that_of_section_3_2_1():
    """It asks with 1/2 if it knows no lower label than its own or misses a neighbour, else 1 / (2^k k^2) for k bits.

    Source: Section 3.2.1 (ii) and (iv); Theorem 5
    """
    for step in timeouts():
        u = step.before
        asks = (SUPERVISOR, GetConfiguration(ME)) in step.sent
        if u.label is None or asks != (step.choice.name == "ask"):
            if u.label is not None or asks:
                yield f"its coin says {step.choice.name}, and {step.sent} is sent, by {step}"
            continue
        bits = len(u.label)
        claims = reference_model.slots(u) + [Claim(entry.label, entry.node) for entry in u.shortcuts if entry.node]
        lower = any(
            reference_model.number(entry.label) < reference_model.number(u.label)
            for entry in claims
            if entry.node != ME
        )
        chance = Fraction(1, 2**bits * bits**2) if lower and has_two_neighbours(u) else Fraction(1, 2)
        if step.choice.probability != (chance if asks else 1 - chance):
            yield f"it asks with {step.choice.probability}, not {chance}, by {step}"


def has_two_neighbours(u):
    """Whether others than `u` itself are its predecessor and successor, one of them maybe across 1 = 0."""
    left, right, ring = (slot if slot and slot.node != ME else None for slot in (u.left, u.right, u.ring))
    across = ring and reference_model.number(ring.label) - reference_model.number(u.label)
    return bool(left or (across and across > 0)) and bool(right or (across and across < 0))


def every_coin_decides_something():
    """Where a coin is tossed, something depends on how it falls. Source: Section 3.2.1 (ii) and (iv)."""
    subscribers = [u for start in starts()[:300] for name, u in start.locals if name != SUPERVISOR]
    for subscriber in (variant for u in subscribers for variant in (u, replace(u, wants=False))):
        steps = take(subscriber)
        if len({step.outcome for step in steps}) < len(steps):
            yield f"it makes no difference how the coin of {subscriber} falls"


def the_supervisor_hears_what_is_wanted():
    """Without a label and wanting, it subscribes; with one and not wanting, it unsubscribes. Source: README, 3."""
    for u in (Subscriber(), Subscriber(wants=False), Subscriber("01", wants=False)):
        wanted = {(None, True): {Subscribe(ME)}, (None, False): set(), ("01", False): {Unsubscribe(ME)}}
        for step in take(u):
            messages = {message for target, message in step.sent if target == SUPERVISOR}
            if messages != wanted[u.label, u.wants]:
                yield f"the supervisor is told {messages or 'nothing'} by {step}"


def a_timeout_checks_every_neighbour_that_stands_right():
    """Each of left and right on its side, and the closing edge of an end, is told the belief about it.

    Source: Algorithm 1, lines 1-6; Algorithm 2, lines 8-13
    """
    for step in timeouts():
        u = step.before
        if u.label is None or ME in reference_model.known_to(u) or not _is_sorted(u):
            continue
        here = reference_model.number(u.label)
        checks = [(claim, LIST) for claim in (u.left, u.right) if claim]
        if u.ring and u.ring.label != u.label:
            inner = u.left if reference_model.number(u.ring.label) > here else u.right
            if inner is None:
                checks.append((u.ring, CYCLE))
            elif step.after.ring == u.ring or (inner.node, Introduce(u.ring, CYCLE)) not in step.sent:
                yield f"the misplaced closing edge is not handed on by {step}"
        for claim, flag in checks:
            if (claim.node, Check(Claim(u.label, ME), claim.label, flag)) not in step.sent:
                yield f"{claim} is not checked by {step}"


def _is_sorted(u):
    """Whether neither left nor right stands on the wrong side."""
    before, after = (claim and reference_model.number(claim.label) for claim in (u.left, u.right))
    here = reference_model.number(u.label)
    return (before is None or before <= here) and (after is None or here <= after)


def after_a_timeout_no_node_stands_on_the_wrong_side():
    """No label on the left is higher than one's own, and none on the right lower. Source: Algorithm 1, lines 1-6."""
    for step in timeouts():
        if step.before.label is not None and not _is_sorted(step.after):
            yield f"{step.after} is left by {step}"


def after_a_timeout_shortcuts_follow_from_the_neighbours():
    """A subscriber has the shortcuts that its neighbours imply: 2w - v again and again, while w is longer.

    Only where none is known before: others go to the list, which may give it closer neighbours for the next time.

    Source: Section 3.2.2
    """
    for step in timeouts():
        if step.before.label is None or any(entry.node for entry in step.before.shortcuts):
            continue
        u = step.after
        here = reference_model.number(u.label)
        before = u.left or (u.ring if u.ring and reference_model.number(u.ring.label) > here else None)
        after = u.right or (u.ring if u.ring and reference_model.number(u.ring.label) < here else None)
        implied = {label for claim in (before, after) if claim for label in _implied(u.label, claim.label)}
        if [label.label for label in u.shortcuts] != sorted(implied):
            yield f"{u} has not the shortcuts {sorted(implied)}, after {step}"


def _implied(own, reached):
    """The labels of the shortcuts on the side of one neighbour. Source: Section 3.2.2."""
    labels = {reference_model.number(reference_model.label(index)): reference_model.label(index) for index in range(64)}
    while len(reached) > len(own):
        reached = labels[(2 * reference_model.number(reached) - reference_model.number(own)) % 1]
        yield reached


def a_configuration_is_stored_and_closer_neighbours_are_asked_about():
    """Afterwards its neighbours are those proposed, and nodes that were at least as close are reported.

    Source: Section 3.2.1 (iii); Algorithm 4, lines 16-20
    """
    for configuration, held, asked in _CONFIGURATIONS:
        for step in take(held, configuration):
            reported = {message.subscriber for _, message in step.sent if isinstance(message, GetConfiguration)}
            if reported != asked:
                yield f"{sorted(reported)} are asked about, not {sorted(asked)}, by {step}"
    for step in received():
        match step.message:
            case SetData(before, label, after) if label is not None and not reference_model.slots(step.before):
                expected = {claim for claim in (before, after) if claim and claim.node != ME and claim.label != label}
                if before and after and after.label < label < before.label:
                    continue  # both across the end of the circle: no neighbours of anybody
                if step.after.label != label or not expected <= set(reference_model.slots(step.after)):
                    yield f"{step.after} is left by {step}"


def _told(before, after):
    return SetData(Claim(before, "p"), "01", Claim(after, "s"))


_CONFIGURATIONS = (
    (_told("001", "1"), Subscriber("01", left=Claim("001", "x")), {"x"}),
    (_told("001", "1"), Subscriber("01", left=Claim("0011", "x")), {"x"}),
    (_told("001", "1"), Subscriber("01", left=Claim("0001", "x")), set()),
    (_told("001", "1"), Subscriber("01", left=Claim("001", "p")), set()),
    (_told("001", "1"), Subscriber("01", left=Claim("001", "x"), shortcuts=(Entry("0", "x"),)), {"x"}),
    (_told("01", "1"), Subscriber("01", left=Claim("001", "x")), {"x"}),
    (_told("001", "1"), Subscriber("01", right=Claim("1", "x")), {"x"}),
    (_told("001", "1"), Subscriber("01", right=Claim("011", "x")), {"x"}),
    (_told("001", "1"), Subscriber("01", right=Claim("11", "x")), set()),
    (SetData(None, "01", None), Subscriber("01", right=Claim("11", "x")), {"x"}),
    (SetData(Claim("11", "p"), "0", Claim("01", "s")), Subscriber("0", ring=Claim("111", "x")), {"x"}),
    (SetData(Claim("11", "p"), "0", Claim("01", "s")), Subscriber("0", ring=Claim("101", "x")), set()),
    (SetData(Claim("01", "p"), "11", Claim("0", "s")), Subscriber("11", ring=Claim("001", "x")), set()),
)
"""A configuration, a state in which it arrives, and the node that the supervisor is asked about."""


def what_a_configuration_replaces_stays_in_the_list():
    """A replaced claim is linearised, never dropped. Source: README, 4."""
    for step in take(Subscriber("01", left=Claim("0", "x"), right=Claim("11", "y")), _told("001", "1")):
        for sent in (("p", Linearize(Claim("0", "x"))), ("s", Linearize(Claim("11", "y")))):
            if sent not in step.sent:
                yield f"{sent} is not sent by {step}"
