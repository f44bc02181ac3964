"""`python -m tests.checker.prove.closure.dear`: closure of Chord with fingers and r = 3, which takes three minutes."""

import sys
import time

from gomboc.checker.evidence.chord.encodings.members import chord
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.lemma import Statement
from gomboc.checker.prove.runner import settle
from gomboc.checker.prove.settlement import Proved
from gomboc.spec.protocols.chord import PROTOCOL

LENGTH, SECONDS = 3, 1_000


def main() -> int:
    """A line for each case, and whether all are proved."""
    open_cases = 0
    for case in closure(chord(LENGTH, fingers=True), PROTOCOL, ("gomboc.spec",), (), chord(1)):
        start = time.process_time()
        result = settle(Statement(case.what, lambda case=case: (case,)), SECONDS).result  # type: ignore[misc]
        open_cases += not isinstance(result, Proved)
        paths = result.counts[0].paths if isinstance(result, Proved) else result
        print(case.what, paths, f"{time.process_time() - start:.1f} s", flush=True)
    return int(open_cases > 0)


if __name__ == "__main__":
    sys.exit(main())
