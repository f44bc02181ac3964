"""The parameters of a topic: those of publications, and two thresholds that fit each other."""

import pytest

from gomboc.spec.protocols.scribe.parameters import Parameters, parameters_of


def test_without_any_there_is_no_switch():
    assert parameters_of({}) == Parameters(key_bits=32, high=None, low=None)
    assert parameters_of({"low": 1, "high": 2, "keep": 3}) == Parameters(keep=3, low=1, high=2)


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        ({"low": 3, "high": 3}, "low must be below high, and 3 is not below 3"),
        ({"high": 3}, "low and high are given both, or neither"),
        ({"low": 3}, "low and high are given both, or neither"),
    ],
)
def test_thresholds_that_do_not_fit_are_refused(header, problem):
    with pytest.raises(ValueError, match=f"^{problem}$"):
        parameters_of(header)


@pytest.mark.parametrize("header", [{"low": 0, "high": 3}, {"low": 1, "high": "2"}, {"key_bits": 0}, {"chunk": 0}])
def test_numbers_that_are_none_are_refused_with_what_is_wanted(header):
    with pytest.raises(ValueError, match=r"^key_bits must be a number from 1 to 256, .* numbers of subscribers: "):
        parameters_of(header)
