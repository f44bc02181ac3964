"""A paper's claims as a file: `claims.toml`, in which every text stands as its page has it, but for line breaks.

A line break within a text is a blank. `experiment` and `script` name functions of the protocol's experiments, as
module.function; `arguments` are theirs, by name. A file that does not have this form is refused in one sentence.
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.errata.claim import Paper
from gomboc.checker.prove.texts import read_texts

INDEX = re.compile(r"\$\.claims\[(\d+)\]")
"""The place of an error within a claim, as msgspec writes it."""


def read_paper(path: Path) -> Paper:
    """The paper whose claims are in that file. Raises UsageError, with the file and the claim, if it is malformed."""
    raw = read_texts(path)
    try:
        paper = msgspec.convert(raw, Paper)
    except msgspec.ValidationError as error:
        where = f"{path}{_claim_of(raw, str(error))}"
        raise UsageError(f"{where} is not as claims are written ({error}): fix it.") from error
    if repeated := [name for name, count in Counter(claim.name for claim in paper.claims).items() if count > 1]:
        raise UsageError(f"{path}: two claims are called {repeated[0]!r}: rename one.")
    return paper


def _claim_of(raw: Any, problem: str) -> str:
    """The claim that an error is about, after a colon; empty if it is about the head of the paper."""
    found = INDEX.search(problem)
    if found is None:
        return ""
    claim = raw["claims"][int(found[1])]
    name = claim.get("name") if isinstance(claim, dict) else None
    return f": claim {name!r}" if isinstance(name, str) else f": claim number {int(found[1]) + 1}"
