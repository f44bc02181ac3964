"""The JSON output of commands: objects that begin with `format` and `verdict`.

`checker/JSON.md` describes their keys.
"""

from typing import Any

import msgspec

from gomboc.checker.judge.verdict import WORDS

DONE = "done"
"""The verdict of a command that judges nothing."""


def document(command: str, code: int | None, content: Any) -> dict[str, Any]:
    """The object for the result of a command and its exit code; the code is None if the command judges nothing."""
    verdict = DONE if code is None else WORDS[code]
    return {"format": f"gomboc-{command}", "verdict": verdict, **msgspec.to_builtins(content)}


def json_line(command: str, code: int | None, content: Any) -> str:
    """The same as text, on one line."""
    return msgspec.json.encode(document(command, code, content)).decode()


def json_document(command: str, code: int | None, content: Any) -> str:
    """The same as text, indented."""
    return msgspec.json.format(json_line(command, code, content), indent=2)
