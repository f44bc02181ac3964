"""What a gate has found as annotations of GitHub: workflow commands that name a file and a line."""

from collections.abc import Iterable, Iterator

from gomboc.checker.gate.case import WORDS, Leg
from gomboc.checker.gate.read import failing


def annotations(legs: Iterable[Leg]) -> Iterator[str]:
    """A line for each case that does not hold."""
    for leg in legs:
        for case in failing(leg.cases):
            about = f"{leg.name}: {case.property}" + (f" ({case.chunk})" if case.chunk else "")
            yield annotation(f"{WORDS[case.code]}: {case.says}", about, case.file, case.line)


def annotation(says: str, title: str, file: str, line: int) -> str:
    """An error at that line of a file."""
    place = f"file={_property(file)},line={line},title={_property(f'gomboc {title}')}"
    return f"::error {place}::{_escaped(says)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
