"""A function that looks beyond its arguments: open, in one sentence, wherever what it sees may change."""

import datetime
import os
import random
import time
from itertools import cycle
from random import Random
from time import time_ns
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.closure import beyond
from gomboc.checker.prove.settlement import Proved
from gomboc.spec import Outcome
from tests.checker.prove.closure.followers import fault, keeping, own

SYSTEM: dict[str, Any] = {}
CALLS: list[int] = [0]
TURNS = cycle((True, False))
STEPS = {0: 1, 1: 2, 2: 3, 3: 0}
RNG = Random(1)
LAST = 0


class Seen:
    """A class that counts."""

    calls = 0


class Note(Struct):
    """A note that may change."""

    calls: str = ""


NOTE = Note()


def with_cell():
    seen: dict[str, Any] = {}
    return lambda right, me, local: () if seen.get(me, 0) == 0 else (fault("right", me),)


def with_default(right, me, local, seen=[]):  # noqa: B006
    return () if not seen else (fault("right", me),)


def with_keyword(right, me, local, *, seen=TURNS):
    return () if next(seen) else (fault("right", me),)


def within(right, me, local):
    return tuple(fault("right", me) for _ in range(1) if not all(SYSTEM.values()))


def assigning(right, me, local):
    global LAST
    LAST = 1
    return ()


LOOKING = {
    "with_cell.<locals>.<lambda> looks at seen of {}, which is empty, and of use only if it changes": with_cell(),
    "with_default looks at seen of {}, which is empty, and of use only if it changes": with_default,
    "with_keyword looks at seen of {}, which is at another place at each call": with_keyword,
    "within looks at SYSTEM of {}, which is empty, and of use only if it changes": within,
    "<lambda> looks at SYSTEM of {}, which is empty, and of use only if it changes": lambda right, me, local: (
        () if all(one == local for one in SYSTEM.values()) else (fault("right", me),)
    ),
    "<lambda> looks at TURNS of {}, which is at another place at each call": lambda right, me, local: (
        () if next(TURNS) else (fault("right", me),)
    ),
    "<lambda> looks at random of {}, which is another one at each call": lambda right, me, local: (
        () if random.random() < 1 else (fault("right", me),)
    ),
    "<lambda> looks at RNG of {}, which is another one at each call": lambda right, me, local: (
        () if RNG.random() < 1 else (fault("right", me),)
    ),
    "<lambda> looks at time_ns of {}, which is another one at each call": lambda right, me, local: (
        () if time_ns() else (fault("right", me),)
    ),
    "<lambda> looks at time of {}, which is another one at each call": lambda right, me, local: (
        () if time.monotonic() else (fault("right", me),)
    ),
    "<lambda> looks at os of {}, which is another one at each call": lambda right, me, local: (
        () if os.getpid() else (fault("right", me),)
    ),
    "<lambda> looks at open of {}, which is another one at each call": lambda right, me, local: (
        () if open("/dev/null") else (fault("right", me),)  # noqa: PTH123, SIM115
    ),
    "assigning assigns LAST, which stays": assigning,
}


@pytest.mark.parametrize(("why", "faults"), LOOKING.items(), ids=LOOKING)
def test_a_conjunct_that_sees_what_may_change_is_open(why, faults):
    result = own(keeping, node_faults=faults)
    assert isinstance(result, Unknown)
    cases = "leader runs its timeout, leader receives Point, follower runs its timeout, follower receives Point"
    assert result.why.startswith(f"{cases} are open: {why.format(__name__)}")


def test_a_rule_and_a_conjunct_of_messages_may_not_look_beyond_either():
    assert isinstance(own(lambda me, local: Outcome(local) if not SYSTEM else keeping(me, local)), Unknown)
    assert isinstance(own(keeping, message_faults=lambda right, target, message: tuple(SYSTEM)), Unknown)


def appending(right, me, local):
    CALLS.append(len(CALLS))
    return ()


def replacing(right, me, local):
    CALLS[0] = len(CALLS) if CALLS[0] is None else None  # type: ignore[assignment]
    return ()


def counting(right, me, local):
    Seen.calls += 1
    return ()


def noting(right, me, local):
    NOTE.calls = me
    return ()


CHANGING = {appending: "CALLS", replacing: "CALLS", counting: "Seen", noting: "NOTE"}


@pytest.mark.parametrize(("faults", "name"), CHANGING.items(), ids=lambda one: getattr(one, "__name__", one))
def test_what_a_step_changes_leaves_it_open(faults, name):
    result = own(keeping, node_faults=faults)
    CALLS[:], NOTE.calls = [0], ""
    assert isinstance(result, Unknown)
    assert f"are open: {name} of {__name__} is changed by a step: keep nothing out of local states" in result.why


class Named(Struct):
    """A state with fields that are named as functions of Python are."""

    id: int = 0
    open: int = 0


DRAWN = Random


def test_constants_and_classes_may_be_looked_at():
    def step(me, local):
        later = datetime.timedelta(seconds=Named().id + Named().open)
        number = STEPS.get(local.number, 3) if not later else 0
        return Outcome(replace(local, number=number)) if DRAWN is not int else Outcome(local)

    assert isinstance(own(step), Proved)


def test_nothing_is_known_in_a_python_with_other_instructions(monkeypatch):
    monkeypatch.setattr(beyond, "opmap", {"LOAD_NAME": 1, "LOAD_GLOBAL": 2})
    result = own(keeping)
    assert isinstance(result, Unknown)
    assert (
        "are open: this Python has other instructions, by which a function may look beyond its arguments" in result.why
    )
