"""Judge a recorded stack: each trace by itself, and all of them together."""

from contextlib import ExitStack
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.layers import Joined, LayerTrace, join
from gomboc.checker.judge.naive import DEFAULT, Options, judge_file
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Judgement, Unknown, Verdict, Violated
from gomboc.checker.stacks.fit import together_in
from gomboc.checker.stacks.recorded import Place, StackRun, layer_of, read_run
from gomboc.checker.traces.trace import TraceReader, open_trace


class StackJudgement(msgspec.Struct, frozen=True):
    """The verdicts on a run of a stack: of each trace, by its name, and on what the layers hand over."""

    stack: str
    run: str
    traces: dict[str, Judgement]
    layers: Joined

    def exit_code(self) -> int:
        """1 if one of the verdicts is violated, 3 if one is unknown, and 0 if all hold."""
        codes = {code_of(self.layers.verdict), *(judgement.exit_code() for judgement in self.traces.values())}
        return next((code for code in (VIOLATED, UNKNOWN) if code in codes), HOLDS)


def code_of(verdict: Verdict) -> int:
    """The exit code of one verdict."""
    return VIOLATED if isinstance(verdict, Violated) else UNKNOWN if isinstance(verdict, Unknown) else HOLDS


def judge_stack(folder: Path, options: Options = DEFAULT) -> StackJudgement:
    """Judge the run in a folder. Raises UsageError if it, or one of its traces, cannot be read."""
    run, paths = read_run(folder)
    traces = {name: judge_file(path, options) for name, path in paths.items()}
    return StackJudgement(run.stack.name, str(folder), traces, join_files(run, paths))


def join_files(run: StackRun, paths: dict[str, Path]) -> Joined:
    """Whether the layers of a run hand over to each other what they say. Raises UsageError, as `open_trace`."""
    with ExitStack() as opened:
        traces = [_trace(run, place, opened.enter_context(open_trace(paths[place.name]))) for place in run.places]
        return join(traces, run.links)


def _trace(run: StackRun, place: Place, reader: TraceReader) -> LayerTrace:
    check_protocol(run, place, reader.header.protocol, f"{reader.path}:1")
    together = together_in(run.stack, reader.protocol)
    return LayerTrace(place.name, reader.protocol, reader.header, reader.steps(), together)


def check_protocol(run: StackRun, place: Place, protocol: str, where: str) -> None:
    """Raise UsageError if the trace at a place of a run is of another protocol than its layer."""
    wanted = layer_of(run.stack, place).protocol
    if protocol != wanted:
        raise UsageError(f"{where}: the layer {place.layer} of {run.stack.name} is {wanted}, and this is {protocol}.")
