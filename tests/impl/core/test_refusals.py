import inspect

from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.refusals import Refusals


def test_every_reason_is_explained_in_a_sentence():
    source = inspect.getsource(Reason).splitlines()
    for reason in Reason:
        line_number = next(index for index, line in enumerate(source) if line.strip().startswith(f"{reason.name} ="))
        assert source[line_number + 1].strip().startswith('"""')
        assert source[line_number + 1].strip().endswith('."""')


def test_a_refusal_is_counted_in_its_topic_and_in_the_sum():
    refusals = Refusals(Reason)
    refusals.count("a", Reason.FORGED)
    refusals.count("a", Reason.FORGED)
    refusals.count("b", Reason.TOO_LARGE)
    refusals.count("b", Reason.FORGED)
    refusals.count(None, Reason.BAD_MESSAGE)
    assert refusals.of("a") == {Reason.FORGED: 2}
    assert refusals.of("c") == {}
    assert refusals.of_all() == {Reason.BAD_MESSAGE: 1, Reason.TOO_LARGE: 1, Reason.FORGED: 3}


def test_reasons_are_read_in_the_order_in_which_they_are_explained():
    refusals = Refusals(Reason)
    for reason in reversed(Reason):
        refusals.count("a", reason)
    assert list(refusals.of("a")) == list(refusals.of_all()) == list(Reason)


def test_an_error_says_its_reason():
    assert RefusedError(Reason.TOO_SLOW, "Why.").reason == "too_slow"
