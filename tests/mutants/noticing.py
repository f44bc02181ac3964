"""Which changes the ties of encodings notice: `python -m tests.mutants.noticing` writes the table of them.

Called with the name of a lemma it is the process that looks: it ends with 1, and a sentence, if a sample differs.
"""

import os
import subprocess
import sys

from tests.mutants.change import ROOT, changed, search_path
from tests.mutants.ties import TIES

TABLE = ROOT / "tests/mutants/TIES.md"
MISSED = "NOT NOTICED"
SAMPLES = 60
"""As many as the test that holds encodings against the specification has."""


def noticed(lemma, change):
    """The notice of a lemma's tie on a change (None: on the project as it is); nothing if no sample differs."""
    with changed(change, "spec", "checker") as folder:
        environment = {**os.environ, "PYTHONPATH": search_path(folder), "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-m", "tests.mutants.noticing", lemma]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return (done.stdout or done.stderr).strip().split("\n")[-1] if done.returncode else ""


def first_difference(name):
    """The first sample on which the encoding of a lemma and the specification differ, as a sentence."""
    from gomboc.checker.prove.corners import samples
    from gomboc.checker.prove.registry import choose_lemmas

    (lemma,) = choose_lemmas((name,))
    for number, sample in enumerate(samples(lemma, SAMPLES)):
        if sample.encoded != sample.specified:
            return f"sample {number} differs"
    return ""


def written():
    """The table, made anew."""
    rows = [
        f"| {lemma} | {change.path}: {change.breaks} | {noticed(lemma, change) or MISSED} |"
        for lemma, changes in TIES.items()
        for change in changes
    ]
    return "\n".join(
        [
            "# Failures found by the ties",
            "",
            "Each lemma is proved of an encoding. Samples hold the encoding against the specification, or the judge;",
            f"every other one is drawn at corners. The last column is for {SAMPLES} of them, as `make test` draws.",
            "Written by `python -m tests.mutants.noticing`; not by hand.",
            "",
            "| lemma | change | noticed |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def main(names):
    if not names:
        TABLE.write_text(written(), encoding="utf-8")
        sys.exit(MISSED in TABLE.read_text(encoding="utf-8"))
    difference = first_difference(*names)
    if difference:
        print(difference)
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
