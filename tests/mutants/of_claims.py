"""Killers that look at the handling of a claim: whether a subscriber believes it, and where it stores it."""

from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    RemoveConnections,
    Subscriber,
)
from tests.mutants import reference_model
from tests.mutants.steps import ME, received, take


def heard():
    """Sampled steps of one with a label that hear a claim about another: the step, the claim, its flag, first hand?"""
    for step in received():
        u = step.before
        if u.label is None or ME in reference_model.known_to(u):
            continue
        match step.message:
            case Linearize(claim):
                argument = claim, LIST, False
            case Introduce(claim, flag):
                argument = claim, flag, False
            case Present(claim, flag):
                argument = claim, flag, True
            case Check(claim, label, flag) if label == u.label:
                argument = claim, flag, True
            case _:
                continue
        if argument[0].node != ME:
            yield step, *argument


def rivals(u, claim):
    """The other nodes with the claim's label, as far as `u` knows."""
    others = {slot.node for slot in reference_model.slots(u) if slot.label == claim.label} - {claim.node}
    return others or ({ME} if u.label == claim.label else set())


def contradicts(u, claim):
    """Whether `u` stores a neighbour under another label than the claim says."""
    return any(slot.node == claim.node and slot.label != claim.label for slot in reference_model.slots(u))


def hearsay_that_contradicts_or_ties_is_probed():
    """A third party's claim against the stored one is not believed, and its subject probed. Source: Deviations."""
    for step, claim, flag, first_hand in heard():
        doubtful = not first_hand and (contradicts(step.before, claim) or rivals(step.before, claim))
        if doubtful and (step.after != step.before or step.sent != [(claim.node, Probe(ME, flag))]):
            yield f"{claim} is hearsay, and {step.sent} sent, by {step}"


def what_a_node_says_of_itself_is_believed():
    """No other label of it is kept, and the supervisor is asked about both in a tie. Source: Deviations."""
    for step, claim, _, first_hand in heard():
        if not first_hand:
            continue
        if contradicts(step.after, claim):
            yield f"{step.after} holds another label of {claim}, after {step}"
        tied = rivals(step.before, claim)
        asked = {message.subscriber for target, message in step.sent if target == SUPERVISOR}
        if tied and not (claim.node in asked and asked & tied):
            yield f"{sorted(asked)} are asked about, though {claim} ties with {sorted(tied)}, by {step}"


def one_presents_itself_when_probed_or_misjudged():
    """A probe and a check with a wrong label are answered with one's own claim, for the same purpose, and no more.

    Source: Algorithm 1, lines 8-10; Deviations
    """
    for step in received():
        u = step.before
        match step.message:
            case Probe(asker, flag):
                pass
            case Check(Claim(_, asker), label, flag) if label != u.label:
                pass
            case _:
                continue
        if asker != ME and u.label is not None:
            if step.sent != [(asker, Present(Claim(u.label, ME), flag))]:
                yield f"{step.sent} is sent by {step}"
            if ME not in reference_model.known_to(u) and step.after != u:
                yield f"{step.after} is left by {step}"


def believed():
    """Heard claims that nothing stored speaks against."""
    for step, claim, flag, _ in heard():
        if not contradicts(step.before, claim) and not rivals(step.before, claim):
            yield step, claim, flag


def the_closer_stays_in_the_list_and_the_farther_is_delegated_to_it():
    """Of a claim and the neighbour on its side. Source: Section 2.2; Algorithm 1, lines 24-28."""
    for step, claim, flag in believed():
        if flag != LIST:
            continue
        yield from _wrong_in_list(step, claim)


def _wrong_in_list(step, claim):
    u, after = step.before, step.after
    left = reference_model.number(claim.label) < reference_model.number(u.label)
    held, kept = (u.left, after.left) if left else (u.right, after.right)
    if held is None or held == claim:
        expected, delegated = claim, []
    else:
        closer = (reference_model.number(held.label) < reference_model.number(claim.label)) == left
        expected, other = (claim, held) if closer else (held, claim)
        delegated = [(expected.node, Linearize(other))]
    if kept != expected or step.sent != delegated:
        yield f"{kept} stands where {expected} should, and {step.sent} is sent, by {step}"
    if (u.label, u.shortcuts, u.ring) != (after.label, after.shortcuts, after.ring):
        yield f"more changes than one side, by {step}"


def the_closing_edge_finds_its_end():
    """The end that lies away takes a candidate; any other node hands it on towards that end, and keeps its list.

    Source: Algorithm 2, lines 25-29
    """
    for step, claim, flag in believed():
        u = step.before
        if flag == CYCLE and u.ring is None:
            inner = u.right if reference_model.number(claim.label) < reference_model.number(u.label) else u.left
            if inner is None and (step.after.ring != claim or step.sent):
                yield f"{claim} is not taken by {step}"
            if inner is not None and step.after != u:
                yield f"{claim} changes one that is no end, by {step}"
            if inner is not None and inner.node != claim.node and step.sent != [(inner.node, Introduce(claim, CYCLE))]:
                yield f"{claim} is not handed on by {step}"


def no_node_is_handed_a_claim_about_itself():
    """A candidate ends at its subject if that is the next hop. Source: Section 3.2.2; README, 5."""
    claim = Claim("01", "x")
    for u, message in (
        (Subscriber("1", right=claim), Introduce(claim, CYCLE)),
        (Subscriber("0", left=claim), Present(claim, CYCLE)),
        (Subscriber("1", left=claim), Linearize(claim)),
    ):
        for step in take(u, message):
            if any(reference_model.nodes_in(sent) == {target} for target, sent in step.sent):
                yield f"{step.sent} is sent by {step}"


def of_two_candidates_the_farther_closes_the_ring():
    """The nearer one is introduced to it and taken into the list; two on different sides both are.

    Source: Algorithm 2, lines 30-38
    """
    far, near, across = Claim("111", "far"), Claim("11", "near"), Claim("001", "across")
    for held, claim in ((far, near), (near, far)):
        (step,) = take(Subscriber("01", ring=held), Introduce(claim, CYCLE))
        if step.after != Subscriber("01", right=near, ring=far) or step.sent != [("far", Introduce(near, LIST))]:
            yield f"{step.after} is left and {step.sent} sent, by {step}"
    for held, claim in ((across, far), (far, across)):
        (step,) = take(Subscriber("01", ring=held), Introduce(claim, CYCLE))
        if step.after != Subscriber("01", left=across, right=far) or step.sent:
            yield f"{step.after} is left and {step.sent} sent, by {step}"


def a_shortcut_is_replaced_and_what_was_there_goes_to_the_list():
    """A claim with the label of a shortcut is one; any other goes to the list. Source: Algorithm 4, lines 22-30."""
    x, y = Claim("11", "x"), Claim("11", "y")
    table = (Entry("1", None), Entry("11", "x"))
    for u, claim, after, sent in (
        (Subscriber("0", shortcuts=table), y, Subscriber("0", right=x, shortcuts=(table[0], Entry("11", "y"))), []),
        (Subscriber("0", shortcuts=table), x, Subscriber("0", shortcuts=table), []),
        (Subscriber("0"), x, Subscriber("0", right=x), []),
        (Subscriber("0", right=Claim("01", "z")), x, Subscriber("0", right=Claim("01", "z")), [("z", Linearize(x))]),
        (Subscriber(), x, Subscriber(), [("x", RemoveConnections(ME))]),
    ):
        (step,) = take(u, IntroduceShortcut(claim))
        if step.after != after or step.sent != sent:
            yield f"{step.after} is left and {step.sent} sent, by {step}"


def both_ends_of_the_list_seek_each_other():
    """An end without a closing edge sends its claim towards the other end. Source: Algorithm 2, lines 2-4."""
    for u, sent in (
        (Subscriber("0", right=Claim("01", "x")), [("x", CYCLE)]),
        (Subscriber("11", left=Claim("01", "x")), [("x", CYCLE)]),
        (Subscriber("01", left=Claim("0", "x"), right=Claim("1", "y")), []),
        (Subscriber("01"), []),
    ):
        for step in take(u):
            presented = [(target, message.flag) for target, message in step.sent if isinstance(message, Present)]
            if presented != sent:
                yield f"{presented} is sent by {step}"
