"""No step of ours makes a list skip a node that no list skipped: answers, places, and entries that are lost."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord.lists import unskipped
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import JoinReply, JoinRequest, Node, StabilizeReply

LONGEST = 3
MOST = tuple(range(1, LONGEST + 1))
"""Lengths of lists."""

PLACES = range(12)
"""Where the nodes of samples are."""


def rules(r: int = LONGEST) -> Rules:
    """Our rules on a circle where names are numbers."""
    return Rules(Parameters(WIDE.bits, "number", r, fingers=False))


def _list(name: str, length: int) -> tuple[Term, ...]:
    return places(*(f"{name}_{index}" for index in range(length)))


def is_used(me: Term, sender: Term, own: Sequence[Term]) -> Term:
    """Whether a member uses an answer: that of its head, or of a node before it."""
    return z3.Or(sender == own[0], between(me, sender, own[0]))


def _answers(unchecked: bool = False) -> Iterator[Obligation]:
    """A member takes the sender of an answer and its list, if that is its head or lies before it."""
    me, sender, member = places("me", "sender", "member")
    for r in MOST:
        for mine in MOST[:r]:
            for theirs in range(r + 1):
                own, told = _list("own", mine), _list("told", theirs)
                yield Obligation(
                    f"an answer: r = {r}, lists of {mine} and {theirs}",
                    z3.Not(skips_cut(me, (sender, *told)[:r], member)),
                    (
                        *on_circle((me, sender, member, *own, *told)),
                        me != sender,
                        z3.Not(skips(me, own, member)),
                        z3.Not(skips(sender, told, member)),
                        *(() if unchecked else (is_used(me, sender, own),)),
                    ),
                    partial(read, me=me, sender=sender, member=member, own=own, told=told, r=z3.IntVal(r)),
                )


def _losses(unchecked: bool = False) -> Iterator[Obligation]:
    """A member drops an entry, which is not the member that no list skips."""
    me, member = places("me", "member")
    for length in MOST:
        own = _list("own", length)
        for lost in range(length):
            yield Obligation(
                f"a loss: the entry {lost + 1} of {length}",
                z3.Not(skips(me, (*own[:lost], *own[lost + 1 :]), member)),
                (
                    *on_circle((me, member, *own)),
                    z3.Distinct(*own),
                    z3.Not(skips(me, own, member)),
                    *(() if unchecked else (own[lost] != member,)),
                ),
                partial(read, me=me, member=member, own=own, lost=own[lost]),
            )


def _places(unchecked: bool = False) -> Iterator[Obligation]:
    """A joiner takes the list of a member if it lies between that member and its head."""
    giver, joiner, member = places("giver", "joiner", "member")
    for length in MOST:
        own = _list("own", length)
        yield Obligation(
            f"a place: {length} entries",
            z3.Not(skips_cut(joiner, own, member)),
            (
                *on_circle((giver, joiner, member, *own)),
                z3.Not(skips(giver, own, member)),
                *(() if unchecked else (between(giver, joiner, own[0]),)),
            ),
            partial(read, giver=giver, joiner=joiner, member=member, own=own),
        )


def _steps() -> Iterator[Obligation]:
    yield from _answers()
    yield from _losses()
    yield from _places()


def _node(*listed: int) -> Node:
    return Node("inside", None, tuple(map(named, listed)))


def _kept(me: int, successors: tuple[str, ...], members: Iterable[int]) -> tuple[str, ...]:
    """The members that the list of a node does not skip."""
    return tuple(unskipped(WIDE, tuple(map(named, members)), ((named(me), successors),)))


def _replayed(model: Values, me: str, successors: tuple[str, ...]) -> Replayed:
    """The expectation that no list skips the member, and whether the list of that node does so."""
    return Replayed((named(model["member"]),), _kept(model[me], successors, (model["member"],)))


def _answered(model: Values) -> Replayed:
    """The list after the answer is used, from any sender."""
    told = tuple(map(named, (model["sender"], *model["told"])))
    return _replayed(model, "me", rules(model["r"]).shortened(named(model["me"]), told))


def _dropped(model: Values) -> Replayed:
    after = rules().handle_crash(named(model["me"]), _node(*model["own"]), named(model["lost"]))
    return _replayed(model, "me", after.successors)


def _placed(model: Values) -> Replayed:
    after = rules().join_reply(named(model["giver"]), _node(*model["own"]))
    return _replayed(model, "joiner", rules().shortened(named(model["joiner"]), after.successors))


def _agrees(random: Random) -> Sample:
    """The members that a list does not skip after an answer, a loss and a place, by the terms and by the rules."""
    r = random.randint(1, LONGEST)
    numbers = random.sample(PLACES, 2 + 2 * r)
    me, sender, own, told = numbers[0], numbers[1], numbers[2 : 2 + r], numbers[2 + r :]
    told = told[: random.randrange(r + 1)] + ([me] if random.random() < 0.3 else [])
    if random.random() < 0.2:
        own[0] = sender
    before, here = _node(*own), named(me)
    answer = StabilizeReply(named(sender), named(random.choice(numbers[2:])), tuple(map(named, told[:r])))
    after = rules(r).stabilize_reply(here, before, answer).local
    used = truth(is_used(z3.IntVal(me), z3.IntVal(sender), _numbers(own)))
    lost = random.choice(own)
    left = [number for number in own if number != lost]
    joiner = next(number for number in PLACES if number not in own and number != me)
    sends = rules(r).find_successor(here, before, JoinRequest(named(joiner), here)).sends
    replies = [send.message for send in sends if isinstance(send.message, JoinReply)]
    encoded: list[Any] = [
        used,
        _not_skipped(skips_cut, me, (sender, *told)[:r] if used else own),
        _not_skipped(skips, me, left),
        truth(between(*_numbers((me, joiner, own[0])))),
    ]
    specified: list[Any] = [
        after != before or before.successors[:1] == (named(sender),),
        _kept(me, after.successors, PLACES),
        _kept(me, rules(r).handle_crash(here, before, named(lost)).successors, PLACES),
        bool(replies),
    ]
    if replies:
        encoded.append(_not_skipped(skips_cut, joiner, own))
        waits = rules(r).wait(named(joiner), Node(contact=here), replies[0]).local
        specified.append(_kept(joiner, waits.successors, PLACES))
    return Sample((r, me, sender, own, told), encoded, specified)


def _numbers(numbers: Iterable[int]) -> list[Term]:
    return [z3.IntVal(number) for number in numbers]


def _not_skipped(skipping: Callable[[Term, list[Term], Term], Term], me: int, listed: Sequence[int]) -> tuple[str, ...]:
    terms = z3.IntVal(me), _numbers(listed)
    return tuple(named(one) for one in PLACES if not truth(skipping(*terms, z3.IntVal(one))))


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
