"""The assertion that an implementation stabilises: drawn starts and schedules, run, judged and shrunk."""

from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import seed as set_seed
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import write_whole
from gomboc.checker.judge.naive import Options, find_variant, judge
from gomboc.checker.report.scene import scenes_of
from gomboc.checker.report.text import lines
from gomboc.checker.shrink.case import NOWHERE, TraceCase
from gomboc.checker.shrink.kind import kind_of
from gomboc.checker.shrink.shrink import Shrunk
from gomboc.checker.simulate.apart import shrink_apart
from gomboc.checker.simulate.driven import driven
from gomboc.checker.simulate.under_test import configured_implementation
from gomboc.checker.summary.repro_command import check_again
from gomboc.checker.testing.strategies import strategy
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.faults import premise_faults
from gomboc.spec.core.protocol import Protocol, Size, Start

LONGEST_SCHEDULE = 80
"""Steps that are scheduled one by one before rounds begin, at most."""

NO_PARAMETERS: Mapping[str, Any] = MappingProxyType({})


def starts(protocol: Protocol, members: int, messages: int = 0, outside: int = 0) -> SearchStrategy[Start]:
    """Any start of so many members from which convergence is promised, with at most so many messages in flight."""
    drawn = strategy(protocol.starts.space(Size(members, messages, outside=outside)))
    return drawn.filter(lambda start: not premise_faults(protocol, dict(start.locals), start.in_flight))


def assert_stabilises(
    protocol: str,
    implementation: str | None = None,
    *,
    members: int = 3,
    messages: int = 4,
    bound: int | None = None,
    parameters: Mapping[str, Any] = NO_PARAMETERS,
    examples: int = 50,
    seed: int = 0,
    seconds: float = 20.0,
    save_to: Path | None = None,
) -> None:
    """Raise AssertionError if some run of the implementation does not conform, does not converge, or does not stay.

    `protocol` and `implementation` are names, or package.module:NAME of one's own; without the second it is that of the
    protocol's name. So many `members` begin in any state from which convergence is promised, with at most so many
    `messages` in flight, and have `bound` rounds (None: the protocol's). `seed` decides which runs are tried. A smaller
    run with the same violation is looked for, for so many `seconds`; the message is the judge's explanation of it, and
    `save_to` its trace. Raises UsageError if one of the two is not there, or if the parameters make no sense.
    """
    tested = configured_implementation(implementation or protocol, protocol, parameters)
    held_against = find_variant(tested.protocol, None, parameters)
    rounds = held_against.starts.bound(members) if bound is None else bound
    options, failed = Options(bound=bound), list[TraceCase | UsageError]()

    @set_seed(seed)
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        starts(held_against, members, messages),
        st.lists(st.integers(0, 1 << 16), max_size=LONGEST_SCHEDULE),
        st.integers(0, 1 << 16),
    )
    def search(start: Start, schedule: list[int], coins: int) -> None:
        if failed:
            return
        try:
            run = driven(held_against, tested, start, schedule, coins, parameters, rounds)
            if judge(_read(run), options).violations():
                failed.append(run)
        except UsageError as error:
            failed.append(error)

    # An implementation that raises an exception is Hypothesis's to shrink; what is violated is ours.
    search()
    match failed:
        case [TraceCase() as run]:
            raise AssertionError(_explained(run, options, seconds, save_to))
        case [UsageError() as error]:
            raise AssertionError(f"{tested.name} writes an invalid line of a trace: {error}") from error


def _explained(run: TraceCase, options: Options, seconds: float, save_to: Path | None) -> str:
    """The smallest run that is violated alike, in the words of the judge."""
    found = _smaller(run, options, seconds)
    again, notes = "call assert_stabilises with save_to, and gomboc check what it writes", [*_notes(run, found)]
    if save_to is not None:
        try:
            write_whole(save_to, found.case.text())
            again = check_again(save_to, options)
        except UsageError as error:
            notes.append(f"It is not saved: {error}")
    wrong = [each.step for each in found.judgement.violations() if each.node]
    return "\n".join([*lines(found.judgement, again, scenes_of(_read(found.case), wrong)), *notes])


def _notes(run: TraceCase, found: Shrunk) -> Iterator[str]:
    """What the reader must know of a result that is not the smallest new run."""
    if found.case.steps == run.steps[: len(found.case.steps)] and found.case.header == run.header:
        yield f"No smaller run was found: {found.why}."
    elif not found.run:
        yield f"This run is cut, and was not run anew: {found.why}."


def _smaller(run: TraceCase, options: Options, seconds: float) -> Shrunk:
    """The smallest run that is violated alike; the run itself, if looking for a smaller one fails."""
    try:
        return shrink_apart(run, options, seconds=seconds)
    except Exception as error:  # noqa: BLE001  # what was found is told, whatever the search for less comes to
        found = judge(_read(run), options)
        kind = kind_of(found)
        assert kind is not None, "it was judged before"
        return Shrunk(run, found, kind, run.size(), run.size(), 0, f"{type(error).__name__}: {error}", run=True)


def _read(run: TraceCase) -> TraceReader:
    return TraceReader(NOWHERE, BytesIO(run.text()))
