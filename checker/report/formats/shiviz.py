"""A trace as a log with vector clocks, for ShiViz.

Source: ShiViz (https://bestchai.bitbucket.io/shiviz/); its default expression for a log is PARSER
"""

import msgspec

from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.report.formats.events import Event, EventLog, sent_kinds

PARSER = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)"
"""The expression for the viewer: two lines per event."""


def shiviz(story: EventLog, judgement: Judgement) -> str:
    """Two lines for each step: the node and its clock, then its input and messages, and its violation if it has one."""
    wrong = {violation.step: violation.rule for violation in judgement.violations()}
    return "".join(_lines(event, wrong.get(event.number)) for event in story.events)


def _lines(event: Event, wrong: str | None) -> str:
    clock = msgspec.json.encode(dict(event.clock)).decode()
    sent = ", ".join(sent_kinds(event.step.sent))
    said = f"step {event.number}: {event.what}{f'; sends {sent}' if sent else ''}"
    return f"{event.node} {clock}\n{said}{f' VIOLATED: {wrong}' if wrong else ''}\n"
