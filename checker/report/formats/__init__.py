"""Export of a trace to the formats of other viewers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.report.formats.events import EventLog
from gomboc.checker.report.formats.itf import itf
from gomboc.checker.report.formats.mermaid import mermaid
from gomboc.checker.report.formats.perfetto import perfetto
from gomboc.checker.report.formats.shiviz import shiviz

Write = Callable[[EventLog, Judgement], str]

FORMATS: Mapping[str, tuple[str, Write]] = MappingProxyType(
    {
        "itf": (".itf.json", itf),
        "shiviz": (".shiviz.log", shiviz),
        "mermaid": (".mmd", mermaid),
        "perfetto": (".perfetto.json", perfetto),
    }
)
"""For each format, the suffix of its files, and the function that writes one."""
