"""One boundary for errors: one sentence and an exit code for any error, and never a traceback."""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from gomboc.checker.cli import COMMANDS
from gomboc.checker.cli import gomboc as group
from gomboc.checker.core.errors import SparkJobError, UsageError
from tests.checker import ring
from tests.checker.cli.command import gomboc

GOMBOC = Path(sys.executable).with_name("gomboc")


def failing(monkeypatch, error):
    """Have every command fail with that error."""

    def fail(*_):
        raise error

    monkeypatch.setattr("gomboc.checker.cli.Commands.invoke", fail)


def test_the_version_is_that_of_the_distribution():
    assert gomboc("--version") == (0, f"gomboc, version {version('gomboc')}\n", "")


def test_help_names_every_command_and_every_exit_code():
    for words in (("--help",), ("-h",)):
        code, out, err = gomboc(*words)
        assert (code, err) == (0, "")
        assert all(f"  {name} " in out for name in COMMANDS)
        assert "usage or unreadable input, 3\n  unknown, 70 a fault of gomboc itself." in out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    code, out, err = gomboc(name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: gomboc {name} [OPTIONS] ")


@pytest.mark.parametrize("words", [(), *((name,) for name in COMMANDS)])
def test_no_line_of_help_is_wider_than_80_columns(words):
    assert [line for line in gomboc(*words, "--help").out.splitlines() if len(line) > 80] == []


def test_what_each_command_is_for_is_said_in_whole_sentences():
    lines = gomboc("--help").out.partition("Commands:\n")[2].splitlines()
    assert len(lines) == len(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


def test_commands_are_listed_in_the_order_in_which_one_uses_them():
    context = click.Context(group)
    assert group.list_commands(context) == [*COMMANDS]
    assert [name for name in COMMANDS if name in ("simulate", "check", "replay")] == ["simulate", "check", "replay"]
    assert group.get_command(context, "os") is None


def test_without_a_command_there_is_help_and_no_success():
    ran = gomboc()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: gomboc [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (UsageError("t.jsonl: it is wet."), 2, "gomboc: t.jsonl: it is wet.\n"),
        (SparkJobError("it burst"), 3, "gomboc: the Spark job failed, and nothing is known: it burst\n"),
        (click.UsageError("too many words"), 2, "Error: too many words\n"),
        (click.Abort(), 130, "gomboc: interrupted.\n"),
        (KeyboardInterrupt(), 130, "gomboc: interrupted.\n"),
    ],
)
def test_each_kind_of_error_has_its_sentence_and_its_exit_code(error, code, says, monkeypatch):
    failing(monkeypatch, error)
    ran = gomboc("check", "t.jsonl")
    assert (ran.code, ran.out, ran.err.lstrip("\n")) == (code, "", says)


def test_a_fault_of_ours_is_said_to_be_ours_and_is_never_a_violation(monkeypatch):
    failing(monkeypatch, ZeroDivisionError("ours"))
    says = "gomboc: this is a fault of gomboc, and nothing is known (ZeroDivisionError: ours): "
    assert gomboc("check", "t.jsonl") == (70, "", f"{says}call it again with gomboc --debug, and report it.\n")


def test_debug_shows_the_traceback_of_a_fault_of_ours(monkeypatch):
    failing(monkeypatch, ZeroDivisionError("ours"))
    ran = gomboc("--debug", "check", "t.jsonl")
    assert ran.code == 70
    assert ran.err.startswith("Traceback (most recent call last):\n")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (SystemExit(0), "your module called sys.exit(0): no verdict; remove that call."),
        (OSError(28, "No space left on device"), "Input or output failed: No space left on device."),
        (OSError(36, "File name too long", "a" * 300), f"{'a' * 300}: File name too long."),
        (
            ModuleNotFoundError("", name="pyarrow.parquet"),
            "gomboc check needs the package pyarrow: pip install 'gomboc[packs]'.",
        ),
        (MemoryError(), "there is not enough memory for this, and nothing is known: give it less at a time."),
        (
            UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed"),
            "a text cannot be written as utf-8 (surrogates not allowed): name files in UTF-8.",
        ),
    ],
)
def test_what_can_be_foreseen_has_its_sentence_and_is_no_violation(error, says, monkeypatch):
    failing(monkeypatch, error)
    assert gomboc("check", "t.jsonl") == (2, "", f"gomboc: {says}\n")


def called(*words, **environment):
    return subprocess.run(
        [GOMBOC, *words], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def test_the_installed_command_reports_as_the_tests_call_it(tmp_path):
    (tmp_path / "good.jsonl").write_bytes(ring.HOLDS)
    (tmp_path / "bad.jsonl").write_bytes(ring.UNREADABLE)
    for name, code in (("good", 0), ("bad", 2)):
        words = "check", str(tmp_path / f"{name}.jsonl")
        ran = called(*words)
        assert (ran.returncode, ran.stdout, ran.stderr) == gomboc(*words)
        assert ran.returncode == code


def test_the_installed_command_says_the_same_under_every_hash_seed_and_locale(tmp_path):
    (tmp_path / "t.jsonl").write_bytes(ring.VIOLATED)
    (tmp_path / "ö.jsonl").write_bytes(ring.UNREADABLE)
    words = "check", str(tmp_path / "t.jsonl"), str(tmp_path / "ö.jsonl")
    first, second = (
        called(*words, PYTHONHASHSEED=seed, LC_ALL=locale) for seed, locale in (("0", "C"), ("1", "C.UTF-8"))
    )
    assert (first.returncode, first.stdout, first.stderr) == (second.returncode, second.stdout, second.stderr)
    assert first.returncode == 1
