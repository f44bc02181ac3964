"""Write the skeleton of a protocol into a project of its own, or into a checkout of gomboc."""

import keyword
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.spec.core.registry import protocol_names

TEMPLATE = Path(__file__).with_name("example")
NAME = "example"
SUFFIX = ".txt"
"""Template files end with it, so that no tool takes them for source."""

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Layout(msgspec.Struct, frozen=True):
    """The place of each part of a skeleton: its folder, from the root, and its package.

    `tests` is the folder of the tests, `depth` the number of folders from a test file up to the root, `rows` the folder
    of what the tests of all protocols read. A part without a folder is left out.
    """

    folders: Mapping[str, str]
    packages: Mapping[str, str]
    depth: int


def project(name: str) -> Layout:
    """The layout of a project of its own: one package with three parts."""
    return Layout(
        {"": ".", **{part: f"{name}/{part}" for part in PARTS}, "tests": "tests", "traces": f"traces/{name}"},
        {part: f"{name}.{part}" for part in PARTS},
        1,
    )


def checkout(name: str) -> Layout:
    """The layout of a checkout of gomboc: each part on the floor of its kind."""
    kept = {"spec": "spec/protocols", "impl": "impl/protocols", "evidence": "checker/evidence"}
    return Layout(
        {
            **{part: f"{at}/{name}" for part, at in kept.items()},
            "tests": f"tests/spec/protocols/{name}",
            "rows": f"tests/spec/protocols/{name}",
            "traces": f"traces/{name}",
        },
        {part: f"gomboc.{at}/{name}".replace("/", ".") for part, at in kept.items()},
        4,
    )


PARTS = ("spec", "impl", "evidence")
"""The parts of a protocol that are packages."""


def is_checkout(root: Path) -> bool:
    """Whether a folder is a checkout of gomboc."""
    return all((root / folder / "protocols").is_dir() for folder in ("spec", "impl"))


def write(name: str, root: Path) -> tuple[Path, ...]:
    """Write the skeleton of a protocol of that name into a folder; returns the files written.

    Raises UsageError for a name that no protocol can have, and if a file is there already.
    """
    _check_name(name)
    layout = checkout(name) if is_checkout(root) else project(name)
    texts = {root / path: text for path, text in files(name, layout).items()}
    there = next((path for path in texts if path.exists()), None)
    if there is not None:
        raise UsageError(f"{there} is there already: remove it, or choose another folder or name.")
    _write_all(texts)
    if is_checkout(root):
        _declare_evidence(name, root / "pyproject.toml")
        _declare_mirrors(name, layout, root / "tests" / "tree" / "mirrors.toml")
    return tuple(texts)


def _write_all(texts: Mapping[Path, str]) -> None:
    """Write every file, or none: what was made is removed if one cannot be written."""
    made: list[Path] = []
    try:
        for path, text in texts.items():
            for folder in reversed((path.parent, *path.parent.parents)):
                if not folder.exists():
                    folder.mkdir()
                    made.append(folder)
            made.append(path)
            path.write_text(text, encoding="utf-8")
    except BaseException:
        for path in reversed(made):
            # The last one may not be there.
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink()
        raise


def _check_name(name: str) -> None:
    if not IDENTIFIER.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is no name of a protocol: use small letters, digits and _, a letter first.")
    if name in protocol_names():
        raise UsageError(f"There is a protocol {name!r} already: choose another name.")
    if name in ("gomboc", "test", "tests", NAME) or find_spec(name) is not None:
        raise UsageError(f"{name!r} is the name of another package: choose another name.")


def files(name: str, layout: Layout) -> Mapping[str, str]:
    """The text of each file of a skeleton, by its path from the root."""
    texts = {}
    for template in sorted(TEMPLATE.rglob(f"*{SUFFIX}")):
        part = template.parent.relative_to(TEMPLATE).as_posix().removeprefix(".")
        if part in layout.folders:
            path = Path(layout.folders[part], _renamed(template.name.removesuffix(SUFFIX), name, layout))
            text = _renamed(template.read_text(encoding="utf-8"), name, layout)
            own = layout.packages["spec"].partition(".")[0]
            texts[path.as_posix()] = _with_sorted_imports(text, own) if path.suffix == ".py" else text
    for part in ("", "tests") if layout.depth == 1 else ("tests",):
        at = Path(name if part == "" else layout.folders[part], "__init__.py")
        texts[at.as_posix()] = f'"""The protocol {name}."""\n' if part == "" else ""
    return texts


def _renamed(text: str, name: str, layout: Layout) -> str:
    """A text of the template for this protocol; in one pass, since a name may have NAME in it."""
    own = {f"{NAME}.{part}": package for part, package in layout.packages.items()}
    own |= {"DEPTH": str(layout.depth), NAME: name}
    return re.sub(rf"\b{NAME}\.(?:{'|'.join(PARTS)})\b|DEPTH|{NAME}", lambda found: own[found[0]], text)


def _with_sorted_imports(text: str, own: str) -> str:
    """A module whose imports, each in one line, are in the order of isort: the package `own` is the last section."""
    lines = text.splitlines(keepends=True)
    imports = [line for line in lines if line.startswith(("from ", "import "))]
    if not imports:
        return text
    first = lines.index(imports[0])
    after = len(lines) - lines[::-1].index(imports[-1])
    sections: dict[int, list[str]] = {}
    for line in sorted(imports, key=lambda line: (line.startswith("from"), line.split()[1])):
        package = line.split()[1].partition(".")[0]
        sections.setdefault(2 if package == own else package not in sys.stdlib_module_names, []).append(line)
    ordered = "\n".join("".join(sections[section]) for section in sorted(sections))
    return "".join((*lines[:first], ordered, *lines[after:]))


def _declare_mirrors(name: str, layout: Layout, table: Path) -> None:
    """Name the protocol's test as the one that covers its modules; a checkout may have no tests."""
    if not table.exists():
        return
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    test = f"{layout.folders['tests']}/test_{name}.py"
    rows = [f'"{layout.folders[part]}" = "{test}"\n' for part in ("impl", "spec")]
    rows += [line for line in lines if line.startswith('"')]
    comments = [line for line in lines if not line.startswith('"')]
    table.write_text("".join((*comments, *sorted(rows, key=lambda row: row.split('"')[1]))), encoding="utf-8")


def _declare_evidence(name: str, pyproject: Path) -> None:
    """Add the evidence of a protocol to the entry points of gomboc, which stand in order."""
    heading = '[project.entry-points."gomboc.evidence"]\n'
    lines = pyproject.read_text(encoding="utf-8").splitlines(keepends=True)
    if heading not in lines:
        lines += ["\n", heading]
    first = lines.index(heading) + 1
    last = next((index for index in range(first, len(lines)) if not lines[index].strip()), len(lines))
    lines[first:last] = sorted((*lines[first:last], f'{name} = "gomboc.checker.evidence.{name}:EVIDENCE"\n'))
    pyproject.write_text("".join(lines), encoding="utf-8")
