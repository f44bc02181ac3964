"""Values that differ in JSON are different wherever a trace meets the specification, in both judges.

Source: traces/README.md, a whole number is written without a point
"""

from enum import Enum
from typing import Any, Literal

import msgspec
import pytest

from gomboc.checker.judge.exact import is_plain, keyed, sameness, written_alike
from gomboc.spec.core.model import CERTAIN, Outcome, Received, Send
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.core.registry import find_protocol, protocol_names
from tests.checker.replay.kernel.packed import factored, known, naive
from tests.toys.words.spec import UNORDERED, written


class Loose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state and a message of a type under which Python confuses values."""

    text: str
    value: int | float | bool | str = 0


class Sure(msgspec.Struct, frozen=True):
    number: int
    truth: bool
    names: tuple[str, ...]
    more: "Sure | None" = None


class Kind(Enum):
    ONE = "one"


def react(me, local, taken, choice):
    """A node stores the value that it receives, passes it on to b, and delivers it."""
    if isinstance(taken, Received):
        return Outcome(Loose("good", taken.message.value), (Send("b", taken.message),), (taken.message.value,))
    return Outcome(local)


def loose(discipline):
    return UNORDERED.changed(
        name=f"loose_{discipline.value}",
        discipline=discipline,
        roles={"teller": Loose},
        message=Loose,
        react=react,
        choices=lambda me, local, taken: CERTAIN,
        malformed=lambda value: (),
    )


def lines(value, after, sent, delivered, before=None, received=None):
    """A trace in which `a` receives a value, and writes its state, sends and deliveries: each should be the same."""
    header = {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "loose_unordered",
        "parameters": {},
        "roles": {"a": "teller", "b": "teller"},
        "states": {name: {"text": "good", "value": 0} for name in "ab"},
        "messages": [{"id": 0, "to": "a", "message": {"text": "good", "value": value}}],
        "origin": {},
    }
    step = {
        "node": "a",
        "took": 0,
        "state": {"text": "good", "value": after},
        "sent": [{"id": 1, "to": "b", "message": {"text": "good", "value": sent}}],
        "delivered": [delivered],
    }
    if before is not None:
        step["before"] = {"text": "good", "value": before}
    if received is not None:
        step["received"] = {"text": "good", "value": received}
    return header, step


CONFUSED = [(1, True), (True, 1), (1, 1.0), (1.0, 1), (0, False), (0.0, -0.0), (1.0, True)]


def verdicts(protocol, *trace):
    """Both judges' verdicts on one trace; the factored one leaves it to the naive one, or agrees."""
    text = written({**trace[0], "protocol": protocol.name}, *trace[1:])
    with known(protocol):
        return naive(text)["conformance"], factored(protocol, [text])[0]


@pytest.mark.parametrize("discipline", [Discipline.UNORDERED, Discipline.FIFO])
@pytest.mark.parametrize(("value", "other"), CONFUSED)
@pytest.mark.parametrize("index", ["after", "sent", "delivered", "received"])
def test_a_value_that_python_takes_for_equal_is_another_one(discipline, value, other, index):
    protocol = loose(discipline)
    right = {"after": value, "sent": value, "delivered": value, "received": value}
    assert verdicts(protocol, *lines(value, **right)) == ("holds", None)
    assert verdicts(protocol, *lines(value, **{**right, index: other})) == ("violated", None)


def test_the_state_between_two_steps_is_compared_exactly():
    assert verdicts(loose(Discipline.UNORDERED), *lines(1, 1, 1, 1, before=0))[0] == "holds"
    assert verdicts(loose(Discipline.UNORDERED), *lines(1, 1, 1, 1, before=False))[0] == "violated"


def test_types_that_leave_no_doubt_are_compared_as_python_does():
    assert all(map(is_plain, map(find_protocol, set(protocol_names()) - {"delta_fault_tolerance"})))
    assert not is_plain(find_protocol("delta_fault_tolerance"))
    assert not is_plain(loose(Discipline.UNORDERED))


@pytest.mark.parametrize(
    ("kind", "plain"),
    [
        (Sure, True),
        (int, True),
        (bool | None, True),
        (Kind, True),
        (Literal["a", "b"], True),
        (Literal[1, "b"], False),
        (dict[str, int], False),
        (float, False),
        (int | bool, False),
        (tuple[int | float, ...], False),
        (tuple[str, bool | int], False),
        (frozenset[Any], False),
        (Any, False),
    ],
)
def test_a_type_is_plain_if_nothing_in_it_can_be_confused(kind, plain):
    protocol = UNORDERED.changed(message=kind)
    assert is_plain(protocol) == plain
    assert sameness(protocol)(1, True) == plain
    assert (keyed(protocol)(1) == keyed(protocol)(True)) == plain


@pytest.mark.parametrize(
    ("recorded", "produced", "same"),
    [
        ([{"x": 1, "y": 2}], [{"y": 2, "x": 1}], True),
        ([1], [1.0], False),
        ([1], [True], False),
        ([[True]], [[1]], False),
        ([1], [2], False),
    ],
)
def test_deliveries_are_alike_if_they_are_written_alike(recorded, produced, same):
    assert written_alike(recorded, produced) == same
