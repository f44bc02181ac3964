"""Commands that get in each other's way, or are killed: `python -m tests.stress --rounds 50` does it for an hour.

Whatever happens, every run ends right or with a sentence, no process is left, and nothing looks complete that is not.
The suite does one round of it (`tests/test_stress.py`).
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from checker.output import MARKER

ROOT = Path(__file__).parents[1]
TOKEN = "GOMBOC_STRESS"
"""An environment variable that every process of one run has."""

SIMULATE = ("simulate", "skip_ring", "--nodes", "2..3", "--traces", "24", "--seed", "5", "--jobs", "2")
COMMANDS = {
    "simulate": SIMULATE,
    "simulate into packs": (*SIMULATE, "--into", "packs", "--pack-size", "6"),
    "ingest": ("ingest", "{lines}", "--pack-size", "6", "--jobs", "2"),
    "export": ("export", "{corpus}"),
    "replay": ("replay", "{corpus}", "--jobs", "2"),
}
"""What is run, each into one output; `{lines}` and `{corpus}` are made before."""

ANSWERS = (0, 3)
"""Exit codes of runs that end right: a corpus this small may be unknown, for what it does not cover."""

GOMBOC = "import sys; from checker.cli import main; sys.argv[0] = 'gomboc'; main()"

SENTENCES = ("another gomboc is writing it at this moment", "there is something already")

GONE_SECONDS = 2.0
"""How long after its parent a process may be there."""


class Stage:
    """A folder with what commands read, and with what each gives when nobody disturbs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines, self.corpus = folder / "lines", folder / "corpus"
        self.finished(self.start("simulate", self.lines))
        self.finished(self.start("simulate into packs", self.corpus))
        self._wanted: dict[str, tuple[object, float]] = {}

    def wanted(self, name: str) -> tuple[object, float]:
        """What a command writes that nobody disturbs, and the seconds that it takes."""
        if name not in self._wanted:
            self._wanted[name] = self._measured(name)
        return self._wanted[name]

    def _measured(self, name: str) -> tuple[object, float]:
        output = self.folder / "wanted" / "output"
        began = time.monotonic()
        self.finished(self.start(name, output))
        seconds = time.monotonic() - began
        found = result(output)
        shutil.rmtree(output.parent)
        return found, seconds

    def start(self, name: str, output: Path, *more: str) -> "subprocess.Popen[str]":
        """Start a command of that name into `output`."""
        words = [word.format(lines=self.lines, corpus=self.corpus) for word in COMMANDS[name]]
        command = [sys.executable, "-c", GOMBOC, *words, "--output", str(output), *more]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), TOKEN: str(self.folder)}
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def finished(self, run: "subprocess.Popen[str]") -> None:
        """Wait for a run that must end right."""
        _, said = run.communicate()
        assert run.returncode in ANSWERS, said


def result(output: Path) -> object:
    """What a command has written: every file and its bytes, or of verdicts their summary without places."""
    summary = output / "summary.json"
    if summary.exists():
        found = json.loads(summary.read_text())
        return {**found, "example": None, "clusters": len(found.get("clusters", ()))}
    files = (path for path in sorted(output.rglob("*")) if path.is_file() and path.name != MARKER)
    return {str(path.relative_to(output)): path.read_bytes() for path in files}


def together(stage: Stage, name: str, runs: int, random: Random) -> None:
    """So many runs of a command into one output, started at random moments of each other."""
    wanted, seconds = stage.wanted(name)
    output = stage.folder / "together" / "output"
    output.parent.mkdir()
    started = []
    for _ in range(runs):
        more = ("--overwrite",) if random.random() < 0.5 and name != "export" else ()
        started.append(stage.start(name, output, *more))
        time.sleep(random.random() * seconds)
    for run in started:
        _, said = run.communicate()
        if run.returncode not in ANSWERS:
            (sentence,) = [line for line in said.splitlines() if line.strip()]
            assert run.returncode == 2, said
            assert any(each in sentence for each in SENTENCES), said
    assert any(run.returncode in ANSWERS for run in started)
    assert result(output) == wanted, name
    assert [path.name for path in output.parent.iterdir()] == ["output"]
    shutil.rmtree(output.parent)


def killed(stage: Stage, name: str, number: int, random: Random) -> None:
    """A run of a command whose first process gets that signal, alone; and then a run that goes on or begins anew."""
    wanted, seconds = stage.wanted(name)
    output = stage.folder / "killed" / "output"
    output.parent.mkdir()
    run = stage.start(name, output)
    time.sleep(random.random() * seconds)
    run.send_signal(number)
    run.communicate()
    deadline = time.monotonic() + GONE_SECONDS
    while (left := processes_of(stage)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, left
    ended = run.returncode in ANSWERS
    if number != signal.SIGKILL:
        unfinished = {".output.unfinished"} if name == "replay" and not ended else set()
        assert {path.name for path in output.parent.iterdir()} - {"output"} <= unfinished
    if ended or (output.exists() and name != "export"):
        assert result(output) == wanted, name
    again = ("--resume",) if name == "replay" else ()
    stage.finished(
        stage.start(name, output, *(("--overwrite",) if output.exists() and name != "export" else ()), *again)
    )
    assert result(output) == wanted, name
    assert [path.name for path in output.parent.iterdir()] == ["output"]
    shutil.rmtree(output.parent)


def processes_of(stage: Stage) -> list[str]:
    """The processes of runs on this stage that are there now, but for this one."""
    mark = f"{TOKEN}={stage.folder}".encode()
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (place / "environ").read_bytes().split(b"\0"):
                found.append((place / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def main() -> None:
    """Do it so many times, and say how far it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    random = Random(chosen.seed)
    with TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        for name in COMMANDS:
            for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP):
                for _ in range(chosen.kills):
                    killed(stage, name, number, random)
            print(f"{name}: {3 * chosen.kills} times killed", flush=True)
        for done in range(chosen.rounds):
            for name in COMMANDS:
                together(stage, name, random.choice((2, 3)), random)
            print(f"{done + 1} of {chosen.rounds} rounds", flush=True)


if __name__ == "__main__":
    main()
