"""`gomboc check`: judge a few traces, and explain their violations."""

import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from gomboc.checker.cli.appearance import quiet_option, say
from gomboc.checker.cli.commands import completion
from gomboc.checker.cli.document import json_line
from gomboc.checker.cli.paths import TRACE
from gomboc.checker.cli.without_effect import refuse
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import counted
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.protocol_option import protocol_option
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED, WORDS, Judgement
from gomboc.checker.report.scene import scenes
from gomboc.checker.report.text import headline, lines
from gomboc.checker.stacks.recorded import is_stack, stacks_below
from gomboc.checker.summary.repro_command import check_again
from gomboc.checker.traces.trace import Expected, open_trace
from gomboc.checker.traces.trace_files import some_traces_below, trace_size
from gomboc.spec.core.guarded import ProtocolFaultError

if TYPE_CHECKING:
    from gomboc.checker.replay.in_memory import Factored

WORTH_IT = 3_000_000
"""Bytes of traces, for each process, from which on judging them together pays for loading what that takes."""

AT_ONCE = 32_000_000
"""Bytes of traces that are judged together, about; it bounds the memory."""

MOST_BYTES = 1_000_000_000
"""Bytes of a trace that is judged in memory at most; a longer one is judged step by step, which needs less."""


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=TRACE, metavar="FILE|DIR...")
@completion.variant_option("Judge the traces by a rule as printed; gomboc errata lists them.")
@click.option("--bound", type=click.IntRange(min=0), help="Rounds within which a run must become legitimate.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Steps of each trace to judge at most.")
@click.option("--all", "every", is_flag=True, help="Show the first wrong step by each rule, not the first only.")
@click.option("--expect", is_flag=True, help="Compare each verdict with the one that the header of its trace expects.")
@quiet_option("A line for each trace, without explanations.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@protocol_option
def command(
    files: tuple[Path, ...],
    variant: str | None,
    bound: int | None,
    max_steps: int | None,
    every: bool,
    expect: bool,
    quiet: bool,
    jobs: int,
    form: str,
) -> int:
    """Replay traces step by step against the specification: one verdict per line; failures are explained.

    Of a folder, each *.jsonl, *.jsonl.gz and *.jsonl.zst below it is judged; - is standard input. A folder with a
    stack.json is one run of a stack: its traces are also joined, layer by layer. JSON is one document per line, one for
    each trace or run of a stack.

    Exit codes: 0 every trace holds, 1 one is violated, 2 one cannot be read, 3 one is undecided; the first of 1, 2, 3
    that applies. With --expect: 0 every trace is as it says, 1 one is not.
    """
    if quiet and form == "text":
        refuse(("every",), "with --quiet, which explains nothing")
    options = Options(variant, bound, max_steps, every)
    style = Style(form, expect, quiet)
    paths = [path for file in files for path in _traces(file)]
    if (variant or every or expect) and any(map(is_stack, paths)):
        raise UsageError("A run of a stack is judged as it is: give no --variant, no --all and no --expect with it.")
    jobs = min(jobs, os.cpu_count() or 1)
    portions = _portions(paths, options, jobs)
    reports = in_processes(partial(_judge_portion, portions, options, style), len(portions), jobs)
    codes, failed = [], Counter[str]()
    for report in chain.from_iterable(reports):
        codes.append(_say(report))
        failed.update(filter(None, (report.failed,)))
    for why, count in failed.items():
        says = f"the factored judge failed on {counted(count, 'trace')}, which the naive one has judged"
        click.echo(f"gomboc: {says}: {why}.", err=True)
    if len(codes) < len(paths):
        raise UsageError(f"Only {len(codes)} of {counted(len(paths), 'trace')} were judged: call it again.")
    if expect and form == "text":
        wrong = sum(code != HOLDS for code in codes)
        click.echo(f"{counted(len(codes), 'trace')}, {wrong:,} not as expected.")
    return worst(codes)


def _traces(path: Path) -> Sequence[Path]:
    """The traces and the runs of stacks at a path, in order; the traces of a run are not listed by themselves."""
    if not path.is_dir():
        return [path]
    runs = stacks_below(path)
    alone = [trace for trace in some_traces_below(path) if not any(run in trace.parents for run in runs)]
    return sorted([*runs, *alone])


class Style(msgspec.Struct, frozen=True):
    """The form of the report on a trace: text or JSON, compared with the header's `expect` or not, short or long."""

    form: str
    expect: bool
    quiet: bool


class TraceOutcome(msgspec.Struct, frozen=True):
    """The report on one trace, for standard output and standard error, and its exit code.

    `failed` is the exception for which the factored judge has left the trace to the naive one.
    """

    code: int
    out: str = ""
    err: str = ""
    failed: str = ""


def _say(report: TraceOutcome) -> int:
    if report.err:
        click.echo(report.err, err=True)
    if report.out:
        say(report.out)
    return report.code


class Portion(msgspec.Struct, frozen=True):
    """Some traces that a process judges, those of `together` at once in memory, the others one after another."""

    paths: list[Path] = []
    together: list[Path] = []


def _portions(paths: Sequence[Path], options: Options, jobs: int) -> list[Portion]:
    """The traces in portions, in order; each is one by itself if all are too small to gain by more."""
    sizes = [0 if is_stack(path) else trace_size(path) for path in paths]
    total = sum(size for size in sizes if size <= MOST_BYTES)
    if total < WORTH_IT * jobs or options.most_steps is not None:
        return [Portion([path]) for path in paths]
    portions: list[Portion] = []
    # Several processes get pieces that end at about the same time; one judges most distinct steps once.
    room, most = 0, AT_ONCE if jobs == 1 else min(AT_ONCE, total // (4 * jobs))
    for path, size in zip(paths, sizes, strict=True):
        if room <= 0 or size > MOST_BYTES:
            portions.append(Portion())
            room = most
        portions[-1].paths.append(path)
        if 0 < size <= MOST_BYTES:
            portions[-1].together.append(path)
        room -= size
    return portions


def _judge_portion(portions: Sequence[Portion], options: Options, style: Style, index: int) -> list[TraceOutcome]:
    """The reports on the traces of a portion, in order."""
    portion, known = portions[index], {}
    if portion.together:
        # Imported here: a few short traces are judged sooner without it.
        from gomboc.checker.replay.in_memory import judge_in_memory

        known = judge_in_memory(portion.together, options)
    return [_judge_file(path, options, style, known.get(path)) for path in portion.paths]


def _with_failure(report: TraceOutcome, failure: Exception) -> TraceOutcome:
    """The report on a trace that the naive judge has judged since the factored one failed; its JSON says so, too."""
    why = f"{type(failure).__name__}: {failure}".rstrip(": ")
    out = _and_failed(report.out, why) if report.out.startswith("{") else report.out
    return msgspec.structs.replace(report, out=out, failed=why)


def _and_failed(written: str, why: str) -> str:
    """A document of JSON with the failure of the factored judge."""
    return msgspec.json.encode({**msgspec.json.decode(written), "failed": why}).decode()


def _judge_file(path: Path, options: Options, style: Style, factored: "Factored | Exception | None") -> TraceOutcome:
    if isinstance(factored, Exception):
        return _with_failure(_judge_file(path, options, style, None), factored)
    try:
        if is_stack(path):
            return _stack_outcome(path, options, style)
        judgement = _judgement(path, options, factored)
        if style.expect:
            return _compared(path, judgement, options, style)
        return TraceOutcome(judgement.exit_code(), _explained(path, judgement, options, style))
    except UsageError as error:
        out = json_line("check", USAGE, {"trace": str(path), "error": str(error)}) if style.form == "json" else ""
        return TraceOutcome(USAGE, out, f"gomboc: {error}")
    except Exception as error:  # noqa: BLE001  # as in replay: nothing is known of this trace, and the next one is judged
        return _not_judged(path, error, style.form)


def _judgement(path: Path, options: Options, factored: "Factored | None") -> Judgement:
    """The kernel's judgement of a trace that holds; else the naive judge's, which has to agree with its verdict."""
    if factored is not None and factored.judgement is not None:
        return factored.judgement
    judgement = judge_file(path, options)
    if factored is not None and factored.code != judgement.exit_code():
        words = WORDS[factored.code], WORDS[judgement.exit_code()]
        raise DisagreementError("the factored judge says {}, and the naive one {}".format(*words))
    return judgement


class DisagreementError(Exception):
    """Two judges disagree about a trace; the fault is ours, or that of a protocol of a user's own."""


def _not_judged(path: Path, error: Exception, form: str) -> TraceOutcome:
    """The report on a trace for which the judge, or a protocol of the user's own, raised an exception."""
    # The error of a faulty protocol names the protocol and the function by itself.
    fault = isinstance(error, ProtocolFaultError)
    why = str(error) if fault else f"the judge failed with {type(error).__name__}: {error}".rstrip(": ")
    out = json_line("check", UNKNOWN, {"trace": str(path), "error": f"{why}."}) if form == "json" else ""
    traced = "".join(traceback.format_exception(error)) if "--debug" in sys.argv else ""
    return TraceOutcome(UNKNOWN, out, f"{traced}gomboc: {path}: {why}, so nothing is known of this trace.")


def _stack_outcome(path: Path, options: Options, style: Style) -> TraceOutcome:
    """The report on one run of a stack."""
    # Imported here: most calls judge single traces, and start sooner without it.
    from gomboc.checker.stacks.judge import judge_stack
    from gomboc.checker.stacks.text import headline as stack_headline
    from gomboc.checker.stacks.text import lines as stack_lines

    judged = judge_stack(path, options)
    code = judged.exit_code()
    if style.form == "json":
        return TraceOutcome(code, json_line("check", code, judged))
    return TraceOutcome(code, stack_headline(judged) if style.quiet else "\n".join(stack_lines(judged)))


def _explained(path: Path, judgement: Judgement, options: Options, style: Style) -> str:
    if style.form == "json":
        return json_line("check", judgement.exit_code(), judgement)
    if style.quiet:
        return f"{judgement.trace}: {headline(judgement)}"
    wrong = [violation.step for violation in (*judgement.violations(), *judgement.further) if violation.node]
    again = check_again(judgement.trace, options)
    return "\n".join(lines(judgement, again, scenes(path, wrong) if wrong else {}))


def _compared(path: Path, judgement: Judgement, options: Options, style: Style) -> TraceOutcome:
    """The report on whether a judgement is as the header of its trace expects."""
    with open_trace(path) as reader:
        expected = reader.header.expect
    if expected is None:
        raise UsageError(f"{path}:1: the header has no 'expect', so nothing is expected of this trace.")
    differs = "; ".join(_differences(expected, judgement))
    if style.form == "json":
        content = {"trace": str(path), "expected": expected, "differs": differs, "judgement": judgement}
        return TraceOutcome(VIOLATED if differs else HOLDS, json_line("check", VIOLATED if differs else HOLDS, content))
    if not differs:
        return TraceOutcome(HOLDS, f"{path}: as expected")
    explained = "" if style.quiet else f"\n{_explained(path, judgement, options, style)}"
    return TraceOutcome(VIOLATED, f"{path}: not as expected: {differs}{explained}")


def _differences(expected: Expected, judgement: Judgement) -> Iterator[str]:
    first = judgement.violations()[:1]
    verdict = "violated" if first else "unknown" if judgement.exit_code() else "holds"
    if verdict != expected.verdict:
        yield f"the verdict is {verdict}, not {expected.verdict}"
    elif first and first[0].step != expected.step:
        yield f"it is violated at step {first[0].step}, not {expected.step}"
    elif first and expected.rule not in [
        violation.rule for violation in judgement.violations() if violation.step == expected.step
    ]:
        yield f"it is violated by {first[0].rule}, not {expected.rule}"


def worst(codes: Iterable[int]) -> int:
    """The exit code for several traces: violated before unreadable before undecided."""
    distinct = set(codes)
    return next((code for code in (VIOLATED, USAGE, UNKNOWN) if code in distinct), HOLDS)
