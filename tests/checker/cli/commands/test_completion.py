"""A shell that asks by click's own protocol is told commands, options, and the names that an argument may have."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from tests.checker.cli.command import gomboc


def completed(shell, *words):
    """The completions for a shell when the cursor stands behind the last word."""
    line = {"COMP_WORDS": " ".join(("gomboc", *words)), "COMP_CWORD": words[-1] if shell == "fish" else str(len(words))}
    with patch.dict(os.environ, {**line, "_GOMBOC_COMPLETE": f"{shell}_complete"}):
        ran = gomboc()
    assert ran.err == ""
    return ran.out


@pytest.mark.parametrize(
    ("shell", "answer"),
    [
        ("bash", "plain,explore\nplain,export\n"),
        (
            "zsh",
            "plain\nexport\nWrite traces of a corpus as JSON Lines, or for another viewer.\n"
            "plain\nexplore\nExplore every state and schedule of a small model.\n",
        ),
        (
            "fish",
            "plain,export\tWrite traces of a corpus as JSON Lines, or for another viewer.\n"
            "plain,explore\tExplore every state and schedule of a small model.\n",
        ),
    ],
)
def test_each_shell_is_told_the_commands(shell, answer):
    assert sorted(completed(shell, "exp").split("\n")) == sorted(answer.split("\n"))


@pytest.mark.parametrize(
    ("words", "among"),
    [
        (("check", "--vari"), "--variant"),
        (("check", "--variant", "printed_lin"), "printed_linearize"),
        (("simulate", "skip_"), "skip_plus"),
        (("simulate", "skip_ring", "--variant", "printed_lin"), "printed_linearize"),
        (("errata", "ch"), "chord"),
        (("errata", "skip_ring", "theorem_5"), "theorem_5_configuration_requests"),
        (("prove", "labels_are"), "labels_are_a_bijection"),
        (("explore", "cho"), "chord"),
        (("explore", "skip_ring", "--instance", "two_hear"), "two_hearsay"),
        (("replay", "--engine", "sp"), "spark"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_options_and_names_are_completed(words, among):
    assert f"plain,{among}" in completed("bash", *words).splitlines()


def test_an_unknown_word_is_completed_by_nothing():
    assert completed("bash", "explore", "kademlia", "--instance", "t").strip() == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_line_for_the_shells_configuration_prints_a_script(shell):
    environment = {**os.environ, "_GOMBOC_COMPLETE": f"{shell}_source"}
    program = Path(sys.executable).with_name("gomboc")
    ran = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert "_gomboc_completion" in ran.stdout


def test_help_and_version_import_no_command_and_nothing_heavy():
    program = (
        "import sys\nfrom gomboc.checker.cli import main\nsys.argv = ['gomboc', sys.argv[1]]\n"
        "try:\n    main()\nfinally:\n"
        "    print([n for n in sys.modules if n.split('.')[0] in ('msgspec', 'numpy', 'rich', 'multiprocessing')"
        " or n.startswith(('gomboc.spec', 'gomboc.impl', 'gomboc.checker.cli.c'))])"
    )
    for word in ("--help", "--version"):
        ran = subprocess.run([sys.executable, "-c", program, word], capture_output=True, text=True, check=False)
        assert ran.stdout.splitlines()[-1] == "[]", ran.stdout + ran.stderr
