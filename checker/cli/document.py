"""What a command says as JSON: objects that begin with `format` and `verdict`. `checker/JSON.md` names their keys."""

from typing import Any

import msgspec

from gomboc.checker.judge.verdict import WORDS

DONE = "done"
"""The verdict of a command that judges nothing."""


def document(command: str, code: int | None, told: Any) -> dict[str, Any]:
    """The object for what a command has found, which came to that exit code; None if it judges nothing."""
    verdict = DONE if code is None else WORDS[code]
    return {"format": f"gomboc-{command}", "verdict": verdict, **msgspec.to_builtins(told)}


def json_line(command: str, code: int | None, told: Any) -> str:
    """The same as text, on one line."""
    return msgspec.json.encode(document(command, code, told)).decode()


def json_document(command: str, code: int | None, told: Any) -> str:
    """The same as text, indented."""
    return msgspec.json.format(json_line(command, code, told), indent=2)
