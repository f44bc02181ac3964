"""The stages of a gate: the commands that each one runs, and their results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.folder import files_below
from gomboc.checker.core.output import write_whole
from gomboc.checker.core.phrases import counted
from gomboc.checker.gate.case import GateCase, Stage
from gomboc.checker.gate.read import (
    checked,
    explored,
    is_about,
    place_in,
    protocols_of,
    proved,
    replayed,
    settled,
    simulated,
    was_false,
)
from gomboc.checker.gate.running import Ran, WorkingPlace, in_table, run
from gomboc.checker.gate.table import FILE, OWN, Asked
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN
from gomboc.checker.summary.coverage import NEVER_FALSE
from gomboc.checker.traces.trace_files import traces_below
from gomboc.spec.core.registry import reference_of

CORPUS, VERDICTS, EXPLORED = "corpus", "verdicts", "explored"
"""Folders in the output: simulated traces, the judge's verdicts on them, and counterexamples."""

Read = Callable[[Mapping[str, Any]], Iterable[GateCase]]


class StageCommand(msgspec.Struct, frozen=True):
    """A command of a stage: its arguments, the reader of its output, and the key of the table that it comes from.

    It must write at `least` so many objects: a command that was ended early, for any reason, has not judged everything.
    """

    words: tuple[str, ...]
    read: Read
    key: str = ""
    least: int = 1


class Gate(msgspec.Struct, frozen=True):
    """A gate that is about to run: the project's table, the folder for results, and the number of processes.

    `protocol` is the name of the protocol that the table asks for; empty if its module does not end by itself.
    """

    asked: Asked
    output: Path
    jobs: int
    protocol: str = ""

    @property
    def place(self) -> WorkingPlace:
        """The place in which its commands run."""
        return WorkingPlace(self.asked.folder, self.asked.top.pythonpath, 60 * self.asked.top.minutes)

    def file(self, stage: str) -> Path:
        """The file with the output of a stage's commands."""
        return self.output / f"{stage}.json"


def run_stage(gate: Gate, name: str) -> Stage:
    """Run a stage's commands one after the other. Their output is written to the file of the stage."""
    commands = [*_commands(gate, name)]
    done = [(command, run(command.words, gate.place)) for command in commands]
    write_whole(gate.file(name), b"".join(ran.text() for _, ran in done))
    located = [(command.key, case) for command, ran in done for case in _cases(command, ran)]
    objects = [command for _, ran in done for command in ran.told]
    located += _foreign(gate, name, objects)
    if name == "check":
        located += _never_false(gate, objects)
    cases = [_named(gate, name, key, case) for key, case in located]
    return Stage(name, tuple(ran.command for _, ran in done), tuple(cases))


def _cases(command: StageCommand, ran: Ran) -> Iterator[GateCase]:
    """The cases of a command, each with its share of the time that it took."""
    cases = [*_found(command, ran)]
    for case in cases:
        yield msgspec.structs.replace(case, seconds=ran.seconds / len(cases))


def _found(command: StageCommand, ran: Ran) -> Iterator[GateCase]:
    """The cases of a command. Its exit code counts too: no case may make it better."""
    cases = [case for written in ran.told for case in command.read(written)]
    yield from cases
    if ran.code != HOLDS and all(case.code != ran.code for case in cases):
        said = ran.lacking or f"{ran.command} ended with exit code {ran.code}"
        yield GateCase("run", ran.words[0], ran.code, said, *place_in(said))
    elif not cases or len(ran.told) < command.least:
        says = f"it ended early: {len(ran.told):,} of {counted(command.least, 'object')} written"
        yield GateCase("run", ran.words[0], UNKNOWN, says)


def _foreign(gate: Gate, stage: str, objects: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, GateCase]]:
    """A case for each result about another protocol than the table's: it shows nothing about that one."""
    if stage == "prove":
        yield from _without_lemmas(gate, objects)
        return
    judged = {name for written in objects for name in protocols_of(stage, written)}
    judged |= set(_judged_protocols(gate.output / VERDICTS)) if stage == "replay" else set()
    if not judged:
        return
    wanted = gate.protocol
    asked, key = wanted or gate.asked.top.protocol, KEYS[stage]
    what = "models of {} were explored" if stage == "explore" else "traces of {} were judged"
    for name in sorted(judged - {wanted}):
        yield key, GateCase("protocol", name, UNKNOWN, f"{what.format(name)}, and the table asks for {asked}")


def _without_lemmas(gate: Gate, lemmas: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, GateCase]]:
    """A case if lemmas were proved, but none about the table's protocol."""
    proved_lemmas, protocol = [*lemmas], gate.asked.top.protocol
    if not proved_lemmas or any(is_about(_package(protocol), lemma) for lemma in proved_lemmas):
        return
    asked = gate.protocol or protocol
    yield KEYS["prove"], GateCase("protocol", asked, UNKNOWN, f"no lemma is about {asked}, which the table asks for")


def _package(protocol: str) -> str:
    """The package with the specification of a protocol; all of it, if it is not ours."""
    reference = protocol if ":" in protocol else reference_of(protocol)
    package = reference.partition(":")[0]
    return package if package.startswith("gomboc.") else package.partition(".")[0]


KEYS = {"check": "traces", "replay": "corpus", "explore": "models", "prove": "lemmas"}
"""For each stage, the key with objects that may be of another protocol."""


def _never_false(gate: Gate, objects: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, GateCase]]:
    """A case if no trace shows that legitimacy can be false, unless another stage demands that, or it is excused."""
    if "replay" in gate.asked.stages or gate.asked.top.always_legitimate or any(map(was_false, objects)):
        return
    yield "traces", GateCase("legitimacy", "all", UNKNOWN, NEVER_FALSE)


def _judged_protocols(verdicts: Path) -> Iterator[str]:
    """The protocols of the traces that were judged, as the rows of their verdicts name them."""
    if verdicts.is_dir():
        from gomboc.checker.core.arrow import read_parquet

        for file in files_below(verdicts, ".parquet"):
            column = read_parquet(file, ["protocol"])["protocol"]
            yield from filter(None, column.unique().to_pylist())


def _named(gate: Gate, stage: str, key: str, case: GateCase) -> GateCase:
    """The case with a location: its own, or else that of the key in pyproject.toml that asks for it."""
    file, case = gate.asked.folder / case.file, msgspec.structs.replace(case, says=in_table(case.says))
    if case.file == FILE or not file.is_file():
        return msgspec.structs.replace(case, file=FILE, line=gate.asked.line(stage, key))
    return msgspec.structs.replace(case, file=_shown(file, gate.asked.folder))


def _shown(file: Path, folder: Path) -> str:
    try:
        return str(file.resolve().relative_to(folder.resolve()))
    except ValueError:
        return str(file)


def _commands(gate: Gate, name: str) -> Iterator[StageCommand]:
    table, top = gate.asked.stages[name], gate.asked.top
    stranger = ("--protocol", top.protocol) if ":" in top.protocol else ()
    options = tuple(_options(table, OWN[name]))
    match name:
        case "simulate":
            tested = ("--implementation", top.implementation) if top.implementation else ()
            words = (top.protocol, *tested, "--into", "packs", *_jobs(gate))
            yield StageCommand(
                ("simulate", *words, *options, "--output", below(gate, CORPUS), "--overwrite"), simulated
            )
        case "check":
            words = ("check", *stranger, *table["traces"], *_jobs(gate), *options)
            yield StageCommand(words, checked, "traces", _traces(gate.asked.folder, table["traces"]))
        case "replay":
            corpus = table.get("corpus") or below(gate, CORPUS)
            traces = 0 if "corpus" in table else int(gate.asked.stages["simulate"].get("traces", 1))
            excused = ("--out-of-scope", NEVER_FALSE) if top.always_legitimate else ()
            words = ("replay", corpus, *stranger, *_jobs(gate), *excused, *options, "--output", below(gate, VERDICTS))
            yield StageCommand((*words, "--overwrite"), partial(replayed, traces=traces, least=table.get("least", 1)))
        case "explore":
            for model in table["models"]:
                named, _, instance = model.partition("/")
                chosen = ("--instance", instance) if instance else ()
                words = ("explore", *stranger, named, *chosen, *options, "--output", below(gate, EXPLORED))
                yield StageCommand(words, explored, "models")
        case "prove":
            yield StageCommand(("prove", *table.get("lemmas", ()), *options), proved, "lemmas")
        case "errata":
            words = ("errata", top.protocol, *table.get("claims", ()), *options)
            yield StageCommand(words, settled, "claims")


def _traces(folder: Path, names: Sequence[str]) -> int:
    """The number of traces in those files and folders of a project."""
    paths = [folder / name for name in names]
    return sum(len(traces_below(path)) if path.is_dir() else 1 for path in paths)


def _jobs(gate: Gate) -> tuple[str, str]:
    return "--jobs", str(gate.jobs)


def below(gate: Gate, name: str) -> str:
    """The path of an output, relative to the project."""
    return _shown(gate.output / name, gate.asked.folder)


def _options(table: Mapping[str, Any], own: Sequence[str]) -> Iterator[str]:
    """The options of a command, from the keys of a table."""
    for key, value in table.items():
        if key in own or value is False:
            continue
        if value is True:
            yield f"--{key}"
        elif isinstance(value, dict):
            for name, item in value.items():
                yield from (f"--{key}", f"{name}={msgspec.json.encode(item).decode()}")
        else:
            for item in value if isinstance(value, list) else [value]:
                yield from (f"--{key}", str(item))
