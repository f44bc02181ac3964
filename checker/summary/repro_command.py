"""Commands that reproduce a result, as typed in a shell."""

import shlex
from pathlib import Path

from gomboc.checker.judge.naive import Options
from gomboc.spec.core.registry import named


def stranger_words() -> list[str]:
    """The options by which a command gets the protocols that the caller has named."""
    return [word for reference in named() for word in ("--protocol", reference)]


def check_again(path: Path | str, options: Options) -> str:
    """The command that judges a trace with those options."""
    words = ["gomboc", "check", *stranger_words(), str(path)]
    words += ["--variant", options.variant] if options.variant else []
    words += ["--bound", str(options.bound)] if options.bound is not None else []
    words += ["--max-steps", str(options.most_steps)] if options.most_steps else []
    return shlex.join(words)


def explore_again(*words: str) -> str:
    """The command that explores with those arguments."""
    return shlex.join(["gomboc", "explore", *stranger_words(), *words])
