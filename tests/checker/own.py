"""A folder with modules of its own, as a process that begins there finds it; afterwards nothing of it is known."""

import os
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from unittest.mock import patch

from gomboc.impl.api import registry as implementations
from gomboc.spec.core import registry as protocols

UNNAMED = dict.fromkeys((protocols.NAMED, implementations.NAMED, "PYTHONPATH"), "")


@contextmanager
def own_modules(folder: Path, path: tuple[str, ...] = ()) -> Iterator[None]:
    """The current folder, with these on Python's path: what is imported, named or set there is forgotten."""
    before = set(sys.modules)
    with chdir(folder), patch.dict(os.environ, UNNAMED), patch.object(sys, "path", [*path, *sys.path]):
        protocols.forget()
        try:
            yield
        finally:
            for name in set(sys.modules) - before:
                # Ours stay, and Python's: a second copy of a type is another type.
                ours = name.partition(".")[0] in {"gomboc", "tests", *sys.stdlib_module_names}
                if not ours and "site-packages" not in str(getattr(sys.modules[name], "__file__", "")):
                    del sys.modules[name]
    protocols.forget()
