"""The parameters of a topic: those of publications, and two thresholds that fit each other."""

from gomboc.spec.protocols.scribe.parameters import Parameters, parameters_of


def test_without_any_there_is_no_switch():
    assert parameters_of({}) == Parameters(key_bits=32, high=None, low=None)
    assert parameters_of({"low": 1, "high": 2, "keep": 3}) == Parameters(keep=3, low=1, high=2)
