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


def test_refusals_are_counted_by_peer_and_those_of_the_application_have_none():
    refusals = Refusals(Reason)
    refusals.count("a", Reason.FORGED, "eve")
    refusals.count("a", Reason.FORGED, "eve")
    refusals.count(None, Reason.NOT_YOURS, "eve")
    refusals.count("a", Reason.TOO_LARGE)
    assert refusals.of_peers() == {("eve", "a", Reason.FORGED): 2, ("eve", None, Reason.NOT_YOURS): 1}
    assert refusals.of("a") == {Reason.TOO_LARGE: 1, Reason.FORGED: 2}


def test_many_peers_take_no_more_memory_and_no_count_is_lost():
    refusals = Refusals(Reason, most=3)
    for number in range(100):
        refusals.count("a", Reason.NOT_YOURS, f"peer{number}")
        refusals.count(None, Reason.BAD_MESSAGE, "peer0")
    assert refusals.of_peers() == {
        ("peer0", "a", Reason.NOT_YOURS): 1,
        ("peer0", None, Reason.BAD_MESSAGE): 100,
        ("peer1", "a", Reason.NOT_YOURS): 1,
    }
    assert refusals.of_all() == {Reason.BAD_MESSAGE: 100, Reason.NOT_YOURS: 100}
