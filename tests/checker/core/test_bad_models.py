"""The report of a state that a model fails in."""

from gomboc.checker.core.bad_models import WIDEST, BadModelError, shown


def test_a_long_state_is_cut():
    assert shown("a" * 10) == "'aaaaaaaaaa'"
    assert shown("a" * 1_000) == "'" + "a" * (WIDEST - 1) + "... (1002 characters)"


def test_an_error_names_the_model_what_it_does_and_the_state():
    error = BadModelError("ring", "raises in step", (1, 2))
    assert str(error) == "The model ring raises in step, in the state (1, 2)."
    assert error.state == (1, 2)
    assert str(BadModelError("ring", "raises", 1, "at once")) == "The model ring raises, at once."
