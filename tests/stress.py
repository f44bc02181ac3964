"""Commands that get in each other's way, or are killed: `python -m tests.stress --rounds 50` does it for hours.

Every run ends right or with a sentence, no process is left, and no incomplete output looks complete.
The suite does one round of it (`tests/test_stress.py`). A failure names the command and the seed that reproduce it:
`python -m tests.stress --only COMMAND --seed SEED --rounds 1 --kills 1`.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from gomboc.checker.core.output import MARKER

ROOT = Path(__file__).parents[1]
TOKEN = "GOMBOC_STRESS"
"""An environment variable that every process of one run has."""


class Command(NamedTuple):
    """A command that is run; `{lines}` and `{corpus}` are made before.

    `answers` are the exit codes of a run that ends right: so small a corpus may be unknown, for lack of coverage.
    `adds`: it writes file after file into a folder that may be there. `resumes`: it can go on with what it has left.
    """

    words: tuple[str, ...]
    answers: tuple[int, ...] = (0, 3)
    writes: bool = True
    adds: bool = False
    resumes: bool = False
    is_dear: bool = False


SIMULATE = ("simulate", "skip_ring", "--nodes", "2..3", "--traces", "24", "--seed", "5", "--jobs", "2")
COMMANDS = {
    "simulate": Command(SIMULATE),
    "simulate into packs": Command((*SIMULATE, "--into", "packs", "--pack-size", "6")),
    "ingest": Command(("ingest", "{lines}", "--pack-size", "6", "--jobs", "2")),
    "export": Command(("export", "{corpus}"), adds=True),
    "replay": Command(("replay", "{corpus}", "--jobs", "2"), resumes=True),
    "replay of lines": Command(("replay", "{lines}", "--jobs", "2")),
    "replay on Spark": Command(("replay", "{lines}", "--engine", "spark", "--master", "local[2]"), is_dear=True),
    "explore": Command(("explore", "skip_ring", "--instance", "printed_linearize"), (1,), adds=True),
    "check": Command(("check", "{lines}", "--jobs", "2"), writes=False),
    "prove": Command(("prove", "factored_replay_is_replay", "labels_are_a_bijection"), writes=False),
    "errata": Command(
        ("errata", "skip_ring", "lemma_9_database_is_repaired", "theorem_23_with_channels"), writes=False
    ),
}

INPUTS = {"{lines}": "simulate", "{corpus}": "simulate into packs"}
"""The commands that make the inputs of others."""

GOMBOC = "import sys; from gomboc.checker.cli import main; sys.argv[0] = 'gomboc'; main()"

SENTENCES = ("another gomboc is writing it at this moment", "there is something already")

GONE_SECONDS = 2.0
"""How long after its parent a process may be there."""

KILLS = signal.SIGKILL, signal.SIGTERM, signal.SIGHUP

EVERY = 10
"""Of so many rounds, one has the dear commands, too."""


class Stage:
    """A folder with the inputs of commands, and with the output of each in an undisturbed run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.temporary = folder / "temporary"
        self.temporary.mkdir()

    @cache  # noqa: B019  # a stage lasts as long as its process
    def made(self, name: str) -> Path:
        """The output of an undisturbed command, which others read."""
        path = self.folder / name
        self.finished(name, self.start(name, path))
        return path

    @cache  # noqa: B019
    def wanted(self, name: str) -> tuple[object, float]:
        """The result of an undisturbed command, and the seconds that it takes."""
        output = self.folder / "wanted" / "output"
        output.parent.mkdir()
        run, began = self.start(name, output), time.monotonic()
        self.finished(name, run)
        seconds = time.monotonic() - began
        outcome = result(output)
        shutil.rmtree(output.parent)
        return outcome, seconds

    def start(self, name: str, output: Path, *more: str) -> "subprocess.Popen[str]":
        """Start a command of that name into `output`, or in the folder of that."""
        command = COMMANDS[name]
        words = [str(self.made(INPUTS[word])) if word in INPUTS else word for word in command.words]
        into = ["--output", str(output)] if command.writes else []
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary), TOKEN: str(self.folder)}
        return subprocess.Popen(
            [sys.executable, "-c", GOMBOC, *words, *into, *more],
            env=environment,
            cwd=output.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finished(self, name: str, run: "subprocess.Popen[str]", after: str = "") -> None:
        """Wait for a run that must end right after any earlier one."""
        _, said = run.communicate()
        assert run.returncode in COMMANDS[name].answers, f"{name}: exit code {run.returncode}: {said} {after}"


def result(output: Path) -> object:
    """The output of a command: every file and its bytes, or the contents of verdicts except paths."""
    summary = output / "summary.json"
    if summary.exists():
        document = json.loads(summary.read_text())
        return {**document, "example": None, "clusters": len(document.get("clusters", ()))}
    if (output / "_SUCCESS").exists():
        return verdicts(output)
    files = (path for path in sorted(output.rglob("*")) if path.is_file() and path.name != MARKER)
    return {str(path.relative_to(output)): path.read_bytes() for path in files}


def verdicts(output: Path) -> object:
    """The rows of verdicts of JSON Lines, in the order of their traces."""
    import pyarrow.parquet

    rows = pyarrow.parquet.read_table(output).to_pylist()
    return sorted((row["trace"], row["verdict"], row["steps"], row["rounds"]) for row in rows)


def together(stage: Stage, name: str, runs: int, seed: int) -> None:
    """So many runs of a command into one output, started at random moments of each other."""
    command, random = COMMANDS[name], Random(seed)
    wanted, seconds = stage.wanted(name)
    output = stage.folder / "together" / "output"
    output.parent.mkdir()
    case, started = f"{runs} runs of {name}, seed {seed}", []
    for _ in range(runs):
        more = ("--overwrite",) if random.random() < 0.5 and not command.adds else ()
        started.append(stage.start(name, output, *more))
        time.sleep(random.random() * seconds)
    ended = [(run.communicate()[1], run.returncode) for run in started]
    for said, code in ended:
        if code not in command.answers:
            sentences = [line for line in said.splitlines() if line.strip()]
            assert code == 2, f"{case}: {ended}"
            assert len(sentences) == 1, f"{case}: {ended}"
            assert any(sentence in sentences[0] for sentence in SENTENCES), f"{case}: {ended}"
    assert any(code in command.answers for _, code in ended), f"{case}: {ended}"
    assert result(output) == wanted, f"{case}: {ended}"
    nothing_is_left(stage, output, case)
    shutil.rmtree(output.parent)


def nothing_is_left(stage: Stage, output: Path, case: str, *but: str, by: float = 0.0) -> None:
    """There is nothing beside the output, and nothing in the folder for temporary files; at that time at the latest.

    Files that a killed process could not remove are removed by a shell that waits for its end.
    """
    while (left := _left(stage, output, but)) and time.monotonic() < by:
        time.sleep(0.05)
    assert not left, f"{case}: left are {left}"


def _left(stage: Stage, output: Path, but: tuple[str, ...]) -> list[str]:
    beside = {path.name for path in output.parent.iterdir()} - {output.name, *but}
    return [*sorted(beside), *(path.name for path in stage.temporary.iterdir())]


def killed(stage: Stage, name: str, number: int, seed: int) -> None:
    """A run of a command in which only the first process gets that signal; then a run that goes on or begins anew."""
    command, random = COMMANDS[name], Random(seed)
    wanted, seconds = stage.wanted(name)
    output = stage.folder / "killed" / "output"
    output.parent.mkdir()
    run = stage.start(name, output)
    moment = random.random() * seconds
    time.sleep(moment)
    run.send_signal(number)
    said = run.communicate()[1]
    case = f"{name}, killed by {signal.Signals(number).name} after {moment:.3f} s, seed {seed}: {said}"
    deadline = time.monotonic() + GONE_SECONDS
    while (left := processes_of(stage)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"{case}: {left}"
    ended = run.returncode in command.answers
    resumed = [".output.unfinished"] if command.resumes and not ended else []
    nothing_is_left(stage, output, case, *resumed, by=deadline)
    # Beside each file of a table, Spark leaves one with its checksum.
    assert not [path for path in output.rglob(".*") if path.name != MARKER and path.suffix != ".crc"], case
    if ended or (output.exists() and not command.adds):
        assert result(output) == wanted, case
    again: tuple[str, ...] = ("--overwrite",) if output.exists() and not command.adds else ()
    again += ("--resume",) if command.resumes else ()
    stage.finished(name, stage.start(name, output, *again), case)
    assert result(output) == wanted, case
    nothing_is_left(stage, output, case)
    shutil.rmtree(output.parent)


def processes_of(stage: Stage) -> list[str]:
    """The processes of runs on this stage that are there now, but for this one."""
    mark = f"{TOKEN}={stage.folder}".encode()
    processes = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (path / "environ").read_bytes().split(b"\0"):
                processes.append((path / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return processes


def main() -> None:
    """Do it so many times, and print the progress, and in the end the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=COMMANDS, action="append")
    chosen = parser.parse_args()
    # Under nohup it is ignored, and what is started would ignore it too: a kill that kills nobody.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    names = chosen.only or list(COMMANDS)
    with TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        failed = 0
        for name in names:
            for number in KILLS:
                for seed in range(chosen.seed, chosen.seed + chosen.kills):
                    failed += has_failed(stage, partial(killed, stage, name, number, seed))
            print(f"{name}: {len(KILLS) * chosen.kills} times killed", flush=True)
        for seed in range(chosen.seed, chosen.seed + chosen.rounds):
            for name in names:
                if COMMANDS[name].writes and (chosen.only or not COMMANDS[name].is_dear or seed % EVERY == 0):
                    failed += has_failed(stage, partial(together, stage, name, Random(seed).choice((2, 3)), seed))
            print(f"round {seed - chosen.seed + 1} of {chosen.rounds}", flush=True)
    print(f"{failed} failed")
    sys.exit(failed > 0)


def has_failed(stage: Stage, case: Callable[[], None]) -> bool:
    """Whether a case fails, which is told; the next one begins with an empty folder all the same."""
    try:
        case()
    except AssertionError as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        print(f"failed, {where.line}: {error}", flush=True)
        for name in ("killed", "together"):
            shutil.rmtree(stage.folder / name, ignore_errors=True)
        return True
    return False


if __name__ == "__main__":
    main()
