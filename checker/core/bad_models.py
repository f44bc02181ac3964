"""Faults of a model itself, as opposed to faults of the system that it describes."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.user_code import FAULTS, let_through
from gomboc.spec.core.model import CERTAIN, Model

WIDEST = 400
"""Maximal number of characters of a value that are shown."""

SURE = CERTAIN[0].probability
"""The chance of most actions: recognised by identity, since comparing fractions is slow."""

FLICKERS = "has a step that answers differently when it is asked again"

OFFERS_OTHERS = "has other actions enabled when it is asked again"

CHANGES = "has a step or a predicate that changes its argument"


class NotTabularError(UsageError):
    """An instance uses a feature that the table-driven explorer does not support; the plain explorer supports it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The table-driven explorer {why}; explore it with --engine plain.")


class NotCommutingError(NotTabularError):
    """A protocol declares that the receipts of one round commute, and two do not; `where` names them."""

    def __init__(self, name: str, where: str) -> None:
        super().__init__(
            f"takes whole rounds as single steps, and receipts of {name} do not commute, though it says so"
        )
        self.where = where


class BadModelError(UsageError):
    """The model of that name cannot be explored: its fault, and the state in which the fault occurs."""

    def __init__(self, name: str, problem: str, state: Any, where: str = "") -> None:
        super().__init__(f"The model {name} {problem}, {where or f'in the state {shown(state)}'}.")
        self.state = state


def blamed(error: BaseException, name: str, problem: str, state: Any = None, where: str = "") -> BadModelError:
    """The BadModelError for an exception of user code: the model of that name has the problem, with the error.

    Raises errors again that are not the user code's own, and NotTabularError.
    """
    let_through(error)
    if isinstance(error, NotTabularError):
        raise error
    return BadModelError(name, f"{problem} ({error_text(error)})", state, where)


def shown(value: Any) -> str:
    """The `repr` of a value, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= WIDEST else f"{text[:WIDEST]}... ({len(text)} characters)"


def error_text(error: BaseException) -> str:
    """The type and the text of an error."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def no_answer(name: str, answer: object) -> str:
    """The fault of a predicate that returns such an answer."""
    return f"has a predicate {name} that answers {answer!r}, not True or False"


def why_no_chances(chances: Iterable[tuple[Hashable, Fraction]]) -> str:
    """The fault in the chances of one state's actions, given as pairs (pick, chance); empty if there is none."""
    sums: dict[Hashable, Fraction] = {}
    for pick, chance in chances:
        if chance is SURE and pick not in sums:
            sums[pick] = SURE
            continue
        if not chance > 0:
            return f"has an action with the chance {chance}, and every chance is above 0"
        sums[pick] = sums.get(pick, Fraction(0)) + chance
    wrong = next((pick for pick, total in sums.items() if total is not SURE and total != 1), None)
    if wrong is None:
        return ""
    return f"has coins whose chances add up to {sums[wrong]} and not to 1, those of {shown(wrong)}"


def blame(model: Model, state: Any, error: BaseException) -> BadModelError:
    """Find the function of the model that raises in a state, by calling each function again."""
    if isinstance(error, BadModelError):
        return error
    for check in (_hash, _enabled, _steps, blame_predicates):
        blamed = check(model, state)
        if blamed is not None:
            return blamed
    return BadModelError(model.name, f"raises only once ({error_text(error)})", state)


def _hash(model: Model, state: Any) -> BadModelError | None:
    raised = _raised(hash, state)
    if raised is None:
        return None
    return BadModelError(model.name, f"has a state that cannot be hashed ({error_text(raised)})", state)


def _enabled(model: Model, state: Any) -> BadModelError | None:
    raised = _raised(lambda: tuple(model.enabled(state)))
    return None if raised is None else BadModelError(model.name, f"raises in enabled ({error_text(raised)})", state)


def _steps(model: Model, state: Any) -> BadModelError | None:
    """Find the first step from a state that raises, or leads to an invalid state."""
    for action in tuple(model.enabled(state)):
        raised = _raised(model.step, state, action)
        if raised:
            return BadModelError(
                model.name, f"raises in step with the action {shown(action)} ({error_text(raised)})", state
            )
        after = model.step(state, action)
        raised = _raised(hash, after)
        if raised:
            problem = f"steps to a state that cannot be hashed, {shown(after)} ({error_text(raised)})"
            return BadModelError(model.name, problem, state)
        blamed = blame_predicates(model, after)
        if blamed:
            return blamed
    return None


def blame_predicates(model: Model, state: Any) -> BadModelError | None:
    """Find the predicate that raises in a state, or answers neither True nor False; None if there is none."""
    for name, holds in (("within", model.within), *((promise.name, promise.holds) for promise in model.promises)):
        raised = _raised(holds, state)
        if raised:
            return BadModelError(model.name, f"raises in the predicate {name} ({error_text(raised)})", state)
        answer: object = holds(state)
        if answer is not True and answer is not False:
            return BadModelError(model.name, no_answer(name, answer), state)
    return None


def _raised(call: Callable[..., object], *arguments: Any) -> BaseException | None:
    """The exception that a call raises, of any type; None if it returns."""
    try:
        call(*arguments)
    except FAULTS as error:
        let_through(error)
        return error
    return None
