"""What is wrong with a model itself, told apart from what is wrong with the system that it describes."""

from typing import Any

from checker.errors import UsageError
from spec.model import Model

WIDEST = 400
"""Characters of a value that are shown at most."""


class BadModelError(UsageError):
    """The model cannot be explored: what it does wrong, and the state in which it does."""

    def __init__(self, model: Model, what: str, state: Any) -> None:
        super().__init__(f"the model {model.name} {what}, in the state {shown(state)}")
        self.state = state


def shown(value: Any) -> str:
    """A value in words, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}... ({len(text)} characters)"


def blame(model: Model, state: Any, error: Exception) -> BadModelError:
    """Which function of the model raises in that state, found by calling each again."""
    said = f"{type(error).__name__}: {error}"
    if isinstance(error, BadModelError):
        return error
    if _raises(lambda: hash(state)):
        return BadModelError(model, f"has a state that cannot be hashed ({said})", state)
    if _raises(lambda: tuple(model.enabled(state))):
        return BadModelError(model, f"raises in enabled ({said})", state)
    for action in tuple(model.enabled(state)):
        if _raises(lambda action=action: model.step(state, action)):
            return BadModelError(model, f"raises in step with the action {shown(action)} ({said})", state)
        after = model.step(state, action)
        if _raises(lambda after=after: hash(after)):
            return BadModelError(model, f"steps to a state that cannot be hashed, {shown(after)} ({said}),", state)
        found = blame_predicates(model, after)
        if found is not None:
            return found
    return blame_predicates(model, state) or BadModelError(model, f"raises ({said})", state)


def blame_predicates(model: Model, state: Any) -> BadModelError | None:
    """The predicate that raises in that state, or answers neither True nor False; None if there is none."""
    for name, holds in (("within", model.within), *((promise.name, promise.holds) for promise in model.promises)):
        if _raises(lambda holds=holds: holds(state)):
            return BadModelError(model, f"raises in the predicate {name}", state)
        answer: object = holds(state)
        if answer is not True and answer is not False:
            return BadModelError(model, f"has a predicate {name} that answers {answer!r}, not True or False", state)
    return None


def _raises(call: Any) -> bool:
    try:
        call()
    except Exception:  # noqa: BLE001 - whatever the model raises is what is looked for
        return True
    return False
