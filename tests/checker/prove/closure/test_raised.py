"""What code makes of an exception: no case is proved along a path that no real value takes."""

import ipaddress
import operator
import sys
from collections.abc import Sized
from contextlib import suppress
from types import SimpleNamespace

import msgspec
import pytest
from msgspec.structs import replace

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.closure.paths import quietly
from gomboc.checker.prove.closure.raised import Heard
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import Outcome
from tests.checker.prove.closure.followers import numbered, own

BIG = 9


def by_length(local):
    try:
        return len(local.word) + BIG
    except TypeError:
        return local.number


def by_joining(local):
    try:
        return len("".join([local.word])) + BIG
    except TypeError:
        return local.number


def by_prefix(local):
    try:
        return BIG if "a".startswith(local.word) else 3
    except TypeError:
        return local.number


def by_anything(local):
    try:
        return BIG if local.number > 1.5 else 3
    except:  # noqa: E722
        return local.number


def by_every_exception(local):
    try:
        return BIG if local.word[0] else 3
    except BaseException:  # noqa: BLE001
        return local.number


def by_returning_at_last(local):
    number = local.number
    try:
        number = BIG if local.word.upper() else 3
    finally:
        return number  # noqa: B012


def by_suppressing(local):
    with suppress(TypeError):
        return BIG if local.word + "a" else 3
    return local.number


def by_converting(local):
    try:
        return BIG if msgspec.convert(local.word, str) else BIG + 1
    except ValueError:
        return local.number


def by_a_library(local):
    try:
        return BIG + len(msgspec.json.encode(local.word))
    except Exception:  # noqa: BLE001
        return local.number


def by_a_pattern(local):
    match local.word:
        case str(upper=_):
            return BIG
    return local.number


def by_a_count(local):
    number = local.number
    try:
        number = BIG if f"{local.number:x}" else 3
        raise LookupError
    except LookupError:
        return number if operator.length_hint(local.word, 3) <= 3 else BIG


def without_a_rule_for_an_address(local):
    try:
        ipaddress.ip_address(local.word)
    except ValueError:
        raise ValueError("no rule for that address") from None
    return BIG


CAUGHT = {
    "of a length": by_length,
    "of a text that is joined": by_joining,
    "of a text that begins another one": by_prefix,
    "by a bare except": by_anything,
    "by BaseException": by_every_exception,
    "by a return at last": by_returning_at_last,
    "by suppress": by_suppressing,
    "of a conversion, as a ValueError": by_converting,
    "of a library": by_a_library,
    "by a class pattern": by_a_pattern,
    "by a hint of a length": by_a_count,
    "and says that there is no rule": without_a_rule_for_an_address,
    "by a default of getattr": lambda local: BIG if getattr(local.word, "upper", None) else local.number,
    "by hasattr": lambda local: BIG if hasattr(local.word, "upper") and local.word.upper() else local.number,
    "of a hash": lambda local: BIG if hash(local.word) % 2 else local.number,
    "of a hash of a part": lambda local: BIG if hash((1, (local.word,))) % 2 else local.number,
}


@pytest.mark.parametrize("count", CAUGHT.values(), ids=CAUGHT)
def test_a_rule_that_handles_what_a_symbol_raised_is_open(count):
    result = numbered(count)
    assert isinstance(result, Unknown)
    assert result.why.startswith("follower runs its timeout is open: ")


def test_what_is_handled_is_said_in_a_sentence():
    assert numbered(by_joining) == Unknown(
        "follower runs its timeout is open: code handles an exception that a symbol may have raised "
        "(TypeError: sequence item 0: expected str instance, Text found)"
    )


TOLD = {
    "that it has a length": lambda local: BIG if isinstance(local.word, Sized) else local.number,
    "that it has none": lambda local: local.number if isinstance(local.number, Sized) else BIG,
    "that it has a method": lambda local: BIG if hasattr(local.word, "upper") else local.number,
    "that it has no field of ours": lambda local: local.number if hasattr(local.number, "term") else BIG,
    "that it has no value of ours": lambda local: local.number if getattr(local.word, "path", 0) else BIG,
    "that it is not called": lambda local: local.number if callable(local.word) else BIG,
}


@pytest.mark.parametrize("count", TOLD.values(), ids=TOLD)
def test_a_rule_that_asks_what_a_value_can_do_is_told_so_of_real_values(count):
    assert isinstance(numbered(count), Refuted)


PLACES = {0: 1, 1: 2, 2: 3}


def looked_up(local):
    try:
        return PLACES[local.number]
    except KeyError:
        return 0


def next_or_none(local):
    return next((number for number in (3, 2) if number > local.number), 0)


class TooFarError(Exception):
    """A number has no successor."""


def counted(number):
    if number > 2:
        raise TooFarError
    return number + 1


def counted_or_none(local):
    try:
        return counted(local.number)
    except TooFarError:
        return 0


HANDLED = {"of a table": looked_up, "of a generator": next_or_none, "that it raised itself": counted_or_none}


@pytest.mark.parametrize("count", HANDLED.values(), ids=HANDLED)
def test_a_rule_that_handles_what_real_values_raise_is_proved(count):
    assert isinstance(numbered(count), Proved)


def without_a_rule_above_two(local):
    try:
        return PLACES[local.number]
    except KeyError:
        raise ValueError(f"there is no rule for {local.number}") from None


def test_a_refusal_by_a_raise_of_the_protocol_is_no_step():
    assert isinstance(numbered(without_a_rule_above_two), Proved)


NO_REFUSALS = {
    "KeyError: ": lambda local: PLACES[local.number],
    "IndexError: tuple index out of range": lambda local: (0, 1, 2)[local.number],
    "StopIteration: ": lambda local: next(number for number in (3, 2) if number > local.number),
    "ValueError: max() ": lambda local: max(range(local.number)),
    "ValueError: 'nowhere' does not appear to be an IPv4 or IPv6 address": lambda local: (
        int(ipaddress.ip_address("nowhere")) if local.number else 3
    ),
    "UnicodeDecodeError: 'ascii' codec": lambda local: len(b"\xff".decode("ascii")) if local.number == 2 else 3,
}


@pytest.mark.parametrize(("why", "count"), NO_REFUSALS.items(), ids=NO_REFUSALS)
def test_what_a_function_raises_that_a_rule_calls_is_no_refusal(why, count):
    result = numbered(count)
    assert isinstance(result, Unknown)
    assert result.why.startswith(f"follower runs its timeout is open: {why}")


def test_a_predicate_that_handles_what_a_symbol_raised_excludes_no_state():
    def faults(right, me, local):
        try:
            return () if local.number < 3 and len(local.word) < 3 else (1,)
        except TypeError:
            return (1,)

    result = own(lambda me, local: Outcome(replace(local, number=BIG)), node_faults=faults)
    assert isinstance(result, Unknown)


MEMORY = {"": 0}


def remembered(local):
    number = MEMORY.setdefault("number", local.number)
    return local.number if number == local.number else BIG


def test_a_value_that_a_rule_keeps_for_later_steps_leaves_its_case_open():
    result = numbered(remembered)
    del MEMORY["number"]
    assert isinstance(result, Unknown)
    assert "is open: a value is met that was kept from an earlier step: keep none out of local states" in result.why


def test_no_tracer_is_left_and_one_that_was_there_is_back():
    def traced(frame, event, argument):
        return None

    before, path = sys.gettrace(), SimpleNamespace(roots=())
    try:
        for there in (None, traced):
            sys.settrace(there)
            # In this thread: closure is settled in another one, whose tracer is another one, too.
            with Heard(path):
                hearing = sys.gettrace()
                assert hearing is not there
                assert (quietly(sys.gettrace)(), sys.gettrace()) == (None, hearing)
            assert sys.gettrace() is there
    finally:
        sys.settrace(before)
