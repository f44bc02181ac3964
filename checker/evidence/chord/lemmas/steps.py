"""No step of ours makes a list skip a node that no list skipped: answers, places, and entries that are lost."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.chord.encodings.circle import (
    WIDE,
    between,
    named,
    on_circle,
    places,
    read,
    skips,
    skips_cut,
)
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord.lists import unskipped
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import JoinReply, JoinRequest, Node, StabilizeReply

LONGEST = 3
MOST = tuple(range(1, LONGEST + 1))
"""Lengths of lists."""

Reading = Callable[[Model], Values]


def rules(r: int) -> Rules:
    """Our rules on a circle where names are numbers."""
    return Rules(Parameters(WIDE.bits, "number", r, fingers=False))


def _list(name: str, length: int) -> tuple[Term, ...]:
    return places(*(f"{name}_{index}" for index in range(length)))


def _reading(**terms: Term | Sequence[Term]) -> Reading:
    return lambda model: read(model, **terms)


def _answers(unchecked: bool = False) -> Iterator[Obligation]:
    """A member takes the sender of an answer and its list, if that is its head or lies before it."""
    me, sender, member = places("me", "sender", "member")
    for r in MOST:
        for mine in MOST[:r]:
            for theirs in range(r + 1):
                own, theirs_listed = _list("own", mine), _list("told", theirs)
                used = z3.Or(sender == own[0], between(me, sender, own[0]))
                taken = (sender, *theirs_listed)[:r]
                yield Obligation(
                    f"an answer: r = {r}, lists of {mine} and {theirs}",
                    z3.Not(skips_cut(me, me, taken, member)),
                    (
                        *on_circle((me, sender, member, *own, *theirs_listed)),
                        me != sender,
                        z3.Not(skips(me, own, member)),
                        z3.Not(skips(sender, theirs_listed, member)),
                        *(() if unchecked else (used,)),
                    ),
                    _reading(me=me, sender=sender, member=member, own=own, told=theirs_listed, r=z3.IntVal(r)),
                )


def _losses(unchecked: bool = False) -> Iterator[Obligation]:
    """A member drops an entry, which is not the member that no list skips."""
    me, member = places("me", "member")
    for length in MOST:
        for lost in range(length):
            own = _list("own", length)
            left = (*own[:lost], *own[lost + 1 :])
            yield Obligation(
                f"a loss: the entry {lost + 1} of {length}",
                z3.Not(skips(me, left, member)),
                (
                    *on_circle((me, member, *own)),
                    z3.Distinct(*own),
                    z3.Not(skips(me, own, member)),
                    *(() if unchecked else (own[lost] != member,)),
                ),
                _reading(me=me, member=member, own=own, lost=own[lost]),
            )


def _places(unchecked: bool = False) -> Iterator[Obligation]:
    """A joiner takes the list of a member if it lies between that member and its head."""
    giver, joiner, member = places("giver", "joiner", "member")
    for length in MOST:
        own = _list("own", length)
        yield Obligation(
            f"a place: {length} entries",
            z3.Not(skips_cut(joiner, joiner, own, member)),
            (
                *on_circle((giver, joiner, member, *own)),
                z3.Not(skips(giver, own, member)),
                *(() if unchecked else (between(giver, joiner, own[0]),)),
            ),
            _reading(giver=giver, joiner=joiner, member=member, own=own),
        )


def _steps() -> Iterator[Obligation]:
    yield from _answers()
    yield from _losses()
    yield from _places()


def _node(*listed: int) -> Node:
    return Node("inside", None, tuple(map(named, listed)))


def _kept(member: int, me: int, successors: tuple[str, ...]) -> Replayed:
    """The expectation that no list skips a member, and whether the list of that node does so."""
    return Replayed((named(member),), unskipped(WIDE, (named(member),), ((named(me), successors),)))


def _answered(model: Values) -> Replayed:
    """The list after the answer is used, from any sender."""
    listed = rules(model["r"]).shortened(named(model["me"]), tuple(map(named, (model["sender"], *model["told"]))))
    return _kept(model["member"], model["me"], listed)


def _dropped(model: Values) -> Replayed:
    after = rules(LONGEST).handle_crash(named(model["me"]), _node(*model["own"]), named(model["lost"]))
    return _kept(model["member"], model["me"], after.successors)


def _placed(model: Values) -> Replayed:
    after = rules(LONGEST).join_reply(named(model["giver"]), _node(*model["own"]))
    listed = rules(LONGEST).shortened(named(model["joiner"]), after.successors)
    return _kept(model["member"], model["joiner"], listed)


def _agrees(random: Random) -> Sample:
    """The members that a list skips after an answer, a loss and a place, by the terms and by the rules."""
    r = random.randint(1, LONGEST)
    numbers = random.sample(range(12), 2 + 2 * r)
    me, sender, own, sent_list = numbers[0], numbers[1], numbers[2 : 2 + r], numbers[2 + r :]
    sent_list = sent_list[: random.randrange(r + 1)] + ([me] if random.random() < 0.3 else [])
    if random.random() < 0.2:
        own[0] = sender
    before = _node(*own)
    answer = StabilizeReply(named(sender), named(random.choice(numbers[2:])), tuple(map(named, sent_list[:r])))
    after = rules(r).stabilize_reply(named(me), before, answer).local
    used = truth(_used(me, sender, own))
    terms = _numbers((sender, *sent_list)[:r]) if used else _numbers(own)
    encoded: list[Any] = [used, _skipped(partial(skips_cut, z3.IntVal(me), z3.IntVal(me), terms))]
    specified: list[Any] = [after != before or before.successors[:1] == (named(sender),), _skipped_by(me, after)]
    lost = random.choice(own)
    left = _numbers([number for number in own if number != lost])
    encoded.append(_skipped(partial(skips, z3.IntVal(me), left)))
    specified.append(_skipped_by(me, rules(r).handle_crash(named(me), before, named(lost))))
    joiner = next(number for number in range(12) if number not in own and number != me)
    sends = rules(r).find_successor(named(me), before, JoinRequest(named(joiner), named(me))).sends
    replies = [send.message for send in sends if isinstance(send.message, JoinReply)]
    encoded.append(truth(between(*map(z3.IntVal, (me, joiner, own[0])))))
    specified.append(bool(replies))
    if replies:
        waits = Node(contact=named(me))
        encoded.append(_skipped(partial(skips_cut, z3.IntVal(joiner), z3.IntVal(joiner), _numbers(own))))
        specified.append(_skipped_by(joiner, rules(r).wait(named(joiner), waits, replies[0]).local))
    return Sample((r, me, sender, own, sent_list), encoded, specified)


def _used(me: int, sender: int, own: Sequence[int]) -> Term:
    first = z3.IntVal(own[0])
    return z3.Or(z3.IntVal(sender) == first, between(z3.IntVal(me), z3.IntVal(sender), first))


def _numbers(numbers: Sequence[int]) -> list[Term]:
    return [z3.IntVal(number) for number in numbers]


def _skipped(skipping: Callable[[Term], Term]) -> list[int]:
    return [member for member in range(12) if truth(skipping(z3.IntVal(member)))]


def _skipped_by(me: int, local: Node) -> list[int]:
    members = tuple(map(named, range(12)))
    kept = unskipped(WIDE, members, ((named(me), local.successors),))
    return [member for member in range(12) if named(member) not in kept]


PROOFS = {
    "no_step_skips_a_principal": Proof(
        (
            Attempt(_steps),
            Attempt(partial(_answers, True), _answered),
            Attempt(partial(_losses, True), _dropped),
            Attempt(partial(_places, True), _placed),
        ),
        _agrees,
        (Rules.stabilize_reply, Rules.shortened, Rules.join_reply, unskipped),
        {"longest": LONGEST},
    ),
}
