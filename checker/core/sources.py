"""The sources of a user's protocol: its package, and every module that this imports.

The imports are read from the sources, not from the loaded modules: two processes must get one digest, no matter which
modules they have imported before. `import_module` and `__import__` count if their first argument is a text in the
source; a name that is put together while the program runs is not found.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec, resolve_name
from pathlib import Path
from sysconfig import get_paths

OWN = "gomboc"

IMPORTERS = frozenset({"import_module", "__import__"})

distributions_of = cache(packages_distributions)
"""The installed distributions of each top-level module: asked for only where needed, since all their files are read."""


def below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The sources below a folder, in order: the path of each relative to the folder, and its content."""
    for path in sorted(folder.rglob("*.py")):
        yield path.relative_to(folder).as_posix(), path.read_bytes()


def sources_of(modules: Iterable[str]) -> tuple[tuple[str, bytes], ...]:
    """The sources of those modules and of all that they import, each with its name, in order of their names.

    For a module in a package, the whole folder of the module counts, imported or not. A module of another installed
    distribution counts by the name and version of this, and neither Python's own modules nor ours count.
    """
    named = frozenset(modules)
    starts, ahead = {module.partition(".")[0] for module in named}, sorted(named)
    seen, sources = set[str](), dict[str, bytes]()
    while ahead:
        module = ahead.pop()
        top = module.partition(".")[0]
        if module in seen or top == OWN or top in sys.stdlib_module_names:
            continue
        seen.add(module)
        if top not in starts and _is_installed(top) and (distributions := distributions_of().get(top)):
            sources |= {f"{distribution} {version(distribution)}": b"" for distribution in distributions}
            continue
        for name, content in _of_module(module, whole=module in named):
            sources[name] = content
            ahead += _imported(name, content)
    return tuple(sorted(sources.items()))


def _of_module(module: str, whole: bool) -> Iterator[tuple[str, bytes]]:
    """A module's source by its full name; with `whole`, those of all modules in its folder and below."""
    located = _located(module)
    if located is None or not located.origin or not located.origin.endswith(".py"):
        return
    path, package = Path(located.origin), located.parent
    yield _named(module, path), path.read_bytes()
    if whole and package:
        for relative, content in below(path.parent):
            yield f"{package}/{relative}", content


def _named(module: str, path: Path) -> str:
    """The name of a source in the form of `below`, after that of the package: a/b/c.py, or a/b/__init__.py for a
    package.
    """
    parts = module.split(".")
    folders = parts if path.name == "__init__.py" else parts[:-1]
    return "/".join([".".join(folders), path.name] if folders else [path.name])


def _located(module: str) -> ModuleSpec | None:
    try:
        return find_spec(module)
    except (ImportError, ValueError, AttributeError):
        # A package on the way is missing, or fails: then the import fails, too, with a better message.
        return None


def _is_installed(top: str) -> bool:
    """Whether a module lies where distributions are installed, and not in a folder that one points to."""
    located = _located(top)
    places = {get_paths()["purelib"], get_paths()["platlib"]}
    origin = located.origin if located is not None else None
    return origin is None or any(Path(origin).is_relative_to(folder) for folder in places)


def _imported(name: str, content: bytes) -> Iterator[str]:
    """The modules that a source imports, with the packages that they are in. A text that is not Python
    imports nothing.
    """
    package = name.rpartition("/")[0].replace("/", ".")
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        for module in _named_in(node, package):
            parts = module.split(".")
            yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _named_in(node: ast.AST, package: str) -> Iterator[str]:
    """The modules that one statement or call names. In `from a import b`, b may be a module or none."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            base = _absolute("." * level + (module or ""), package)
            yield from (base, *(f"{base}.{alias.name}" for alias in names if alias.name != "*")) if base else ()
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Constant(value=str(text)), *_]):
            yield from (_absolute(text, package),) if called in IMPORTERS else ()
        case _:
            pass


def _absolute(name: str, package: str) -> str:
    """A module's full name; the empty text if it is relative to nothing."""
    try:
        return resolve_name(name, package or None)
    except ImportError:
        return ""
