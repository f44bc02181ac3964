"""`gomboc gate`: run every check that a project's pyproject.toml asks for, in one call for CI."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import msgspec

from gomboc.checker.cli.appearance import quiet_option, say
from gomboc.checker.cli.document import document
from gomboc.checker.cli.paths import EXISTING, Seconds
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import not_ours, only_writer, write_whole
from gomboc.checker.core.phrases import counted
from gomboc.checker.gate.annotations import annotation, annotations, from_repository
from gomboc.checker.gate.case import WORDS, GateCase
from gomboc.checker.gate.gate import ALL, FOUND, GateResult, asked_for, forget, run_gate
from gomboc.checker.gate.read import failing
from gomboc.checker.gate.stages import Gate
from gomboc.checker.gate.table import FILE, STAGES, Asked, OptionKind, output_of, read_table

SET = (
    "output",
    "overwrite",
    "format",
    "only",
    "into",
    "protocol",
    "implementation",
    "jobs",
    "list",
    "resume",
    "layers",
    "quiet",
)
"""Options that the gate sets itself, or that make no sense in one."""

MOST_SAID = 20
"""The most failed cases that are printed for a stage; the JUnit XML has all of them."""


class Forgetful(click.Command):
    """A command that removes the results of an earlier gate on invalid arguments: they would pass for its own."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; if they are invalid, remove earlier results at the paths that they name, and refuse."""
        words = [*args]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            with suppress(UsageError):
                _forget(*self._places(words))
            raise

    def _places(self, words: list[str]) -> tuple[Path, Path | None]:
        """The paths of the output and the JUnit XML in a call with otherwise invalid arguments."""
        lenient = click.Context(self, resilient_parsing=True, ignore_unknown_options=True, allow_extra_args=True)
        named, rest, _ = self.make_parser(lenient).parse_args(words)
        texts = {name: value for name, value in named.items() if isinstance(value, str)}
        folders = [word for word in (texts.get("project", ""), *rest) if word and Path(word).is_dir()]
        output = texts["output"] if "output" in texts else output_of(Path(*folders[:1]))
        return Path(output), Path(texts["junit"]) if "junit" in texts else None


@click.command("gate", cls=Forgetful)
@click.argument("project", type=EXISTING, default=Path(), metavar="[DIR]")
@click.option("--stage", "stages", multiple=True, type=click.Choice(ALL), help="Run only this stage. Can be repeated.")
@click.option("--output", type=EXISTING, metavar="DIR", help="The folder for the results. [default: as the table says]")
@click.option(
    "--junit", type=EXISTING, metavar="FILE", help="The file for the JUnit XML. [default: junit.xml in that folder]"
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes. [default: one per core]")
@quiet_option("One line, and no progress.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Text, JSON, or text with annotations for GitHub.",
)
def command(
    project: Path,
    stages: tuple[str, ...],
    output: Path | None,
    junit: Path | None,
    jobs: int | None,
    quiet: bool,
    form: str,
) -> int:
    """Simulate, judge, explore, prove and settle claims as the project in DIR asks, in this order.

    DIR is the current folder by default. The project asks with [tool.gomboc] in its pyproject.toml.

    Each table below it is a stage, with the options of the command of its name as keys. The gate never passes
    by accident: it fails for an unknown key, a folder without traces, a corpus that covers too little, and a mutant
    that survives.

    Exit codes: 0 everything holds, 1 something is violated or a mutant survives, 2 usage or unreadable input, 3
    something is unknown or not covered, 70 a fault of gomboc; the first of 1, 70, 2, 3 that applies.
    """
    try:
        _forget(output or output_of(project), junit)
        asked = read_table(project, options_of_stages())
        chosen = [*_chosen(asked, stages)]
        gate = Gate(asked, (output or project / asked.top.output).absolute(), jobs or os.cpu_count() or 1)
        result = _found(gate, chosen, junit, quiet)
    except UsageError as error:
        if form == "github":
            file, line = _place(str(error), project)
            click.echo(annotation(str(error), "usage", from_repository(file, project), line))
        raise
    if form == "json":
        click.echo(_document(result))
    else:
        say(_text(result, form, quiet))
    return result.code


def _forget(output: Path, junit: Path | None) -> None:
    """Remove the results of an earlier gate, unless another gate is writing them right now."""
    with only_writer(output) if output.is_dir() else nullcontext():
        try:
            forget(output, junit)
        except OSError as error:
            raise UsageError(f"{error.filename or output}: {error.strerror or error}.") from error


def options_of_stages() -> Mapping[str, Mapping[str, OptionKind]]:
    """For each stage but mutants, the options of its command that a table may give, and the kind of their values."""
    return {stage: dict(_options_of(stage)) for stage in STAGES if stage != "mutants"}


def _options_of(stage: str) -> Iterator[tuple[str, OptionKind]]:
    command = import_module(f"gomboc.checker.cli.commands.{stage}").command
    for option in command.params:
        if isinstance(option, click.Option):
            name = option.opts[0].removeprefix("--")
            if name not in SET:
                yield name, _kind_of(option)


def _kind_of(option: click.Option) -> OptionKind:
    if option.is_flag:
        return "true or false"
    numbers = click.types.IntParamType, click.types.FloatParamType, Seconds
    return "a number" if isinstance(option.type, numbers) else "no truth value"


def _chosen(asked: Asked, stages: Iterable[str]) -> Iterator[str]:
    """The stages to run. Raises UsageError for one that is not asked for."""
    there = asked_for(asked)
    for stage in stages:
        if stage not in there:
            raise UsageError(
                f"{asked.folder / FILE}: there is no [tool.gomboc.{stage}], so that stage cannot be run: add it."
            )
    yield from stages or there


def _found(gate: Gate, chosen: Iterable[str], junit: Path | None, quiet: bool) -> GateResult:
    with only_writer(gate.output):
        reason = not_ours(gate.output) if gate.output.exists() else None
        if reason is not None:
            raise UsageError(f"{gate.output}: {reason}, so it is not overwritten.")
        try:
            result = run_gate(gate, chosen, junit, _pass_over if quiet else _announce)
        except OSError as error:
            raise UsageError(f"{error.filename or gate.output}: {error.strerror or error}.") from error
        write_whole(gate.output / FOUND, _document(result).encode() + b"\n")
    return result


def _announce(stage: str) -> None:
    click.echo(f"gate: {stage} ...", err=True)


def _pass_over(stage: str) -> None:
    del stage


def _place(sentence: str, project: Path) -> tuple[Path, int]:
    """The file and line that a sentence names, if it does."""
    file, _, rest = sentence.partition(":")
    line, _, _ = rest.partition(":")
    return (Path(file), int(line)) if line.isdecimal() else (project / FILE, 1)


def _document(result: GateResult) -> str:
    stages = [
        {
            "stage": stage.name,
            "verdict": stage.verdict(),
            "commands": stage.commands,
            "cases": [_row(case) for case in stage.cases],
        }
        for stage in result.stages
    ]
    content = {**msgspec.structs.asdict(result), "stages": stages}
    said = {**document("gate", None, content), "verdict": WORDS[result.code]}
    return msgspec.json.format(msgspec.json.encode(said), indent=2).decode()


def _row(case: GateCase) -> dict[str, Any]:
    row = {**msgspec.structs.asdict(case), "verdict": case.verdict()}
    return {key: row[key] for key in ("property", "chunk", "verdict", "says", "file", "line")}


def _text(result: GateResult, form: str, quiet: bool) -> str:
    lines = [*annotations(result.stages, Path(result.project))] if form == "github" else []
    for stage in () if quiet else result.stages:
        wrong = failing(stage.cases)
        of = f"{len(wrong):,} of {len(stage.cases):,} failed" if wrong else counted(len(stage.cases), "case")
        lines.append(f"{stage.name}: {stage.verdict()} ({of})")
        for case in wrong[:MOST_SAID]:
            lines.append(f"  {case.verdict()}: {case.about()}: {case.says}")
            lines.append(f"    at {case.file}:{case.line}")
        lines.extend(f"  reproduce: {command}" for command in stage.commands if wrong)
    lines.extend(f"{stage}: not run" for stage in result.left_out if not quiet)
    written = ", ".join(os.path.relpath(path) for path in (result.junit, result.report) if path)
    lines.append(f"{WORDS[result.code]}: {written}")
    return "\n".join(lines)
