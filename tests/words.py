"""Count the words that this repository avoids: `python -m tests.words [FOLDER ...]`.

Texts are docstrings and Markdown pages. Code, quotations and block quotes are left out, so a quoted paper is exempt.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parent.parent
FOLDERS = ("spec", "impl", "checker", "tests", "traces", ".github", "README.md")

PRONOUNS = {
    "what": r"what(?:ever|soever)?|which of",
    "who": r"who(?:ever|m|mever|se)?",
    "nobody": r"(?:no|every|some)(?:body|one)",
}
"""Words that stand for a noun of the field, by the name of their group."""

LIMITS = {"what": 3.0, "who": 0.5, "nobody": 0.3}
"""The most of each group in 1,000 words."""

LOCALS = frozenset({"found", "told", "given", "place", "each"})
"""Names of local variables that say nothing of their values."""

PRODUCT = ("spec", "impl", "checker")
MOST_LOCALS = 173
"""The most bindings of such names in the product: a tenth of those before this rule."""

_EXEMPT = re.compile(r"^```.*?^```|^ *>.*?$|`[^`\n]*`|[\"“][^\"“”]*[\"”]|https?://\S+", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


class Text(msgspec.Struct, frozen=True):
    """A docstring or a page, with the file and the line at which it begins."""

    path: Path
    line: int
    words: str


class Use(msgspec.Struct, frozen=True):
    """A word that is avoided, or the name of a local variable: where it stands."""

    path: Path
    line: int
    group: str
    excerpt: str


def plain(text: str) -> str:
    """The text without code, quotations and block quotes; the lines stay."""
    return _EXEMPT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def docstrings(path: Path, tree: ast.Module) -> Iterator[Text]:
    """The docstrings of a module: of itself, its classes and functions, and those below its constants and fields."""
    for node in ast.walk(tree):
        body = getattr(node, "body", ())
        for statement in body if isinstance(body, list) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(words))):
                    yield Text(path, statement.lineno, plain(words))


def files(folders: Iterable[str], suffix: str) -> Iterator[Path]:
    """The files with this suffix that are or lie below the folders, without caches."""
    for folder in folders:
        top = ROOT / folder
        below = [top] if top.is_file() else sorted(top.rglob(f"*{suffix}"))
        yield from (path for path in below if path.suffix == suffix and "__pycache__" not in path.parts)


def texts(folders: Iterable[str] = FOLDERS) -> Iterator[Text]:
    """The docstrings and pages below the folders."""
    folders = tuple(folders)
    for path in files(folders, ".py"):
        yield from docstrings(path, ast.parse(path.read_text()))
    for path in files(folders, ".md"):
        yield Text(path, 1, plain(path.read_text()))


def avoided(text: Text) -> Iterator[Use]:
    """The words of a text that are avoided."""
    for group, pattern in PRONOUNS.items():
        for match in re.finditer(rf"\b(?:{pattern})\b", text.words, re.IGNORECASE):
            line = text.line + text.words.count("\n", 0, match.start())
            around = text.words[max(0, match.start() - 30) : match.end() + 30]
            yield Use(text.path, line, group, " ".join(around.split()))


def word_count(text: Text) -> int:
    """The number of words of a text."""
    return len(_WORD.findall(text.words))


def rates(folders: Iterable[str] = FOLDERS) -> tuple[int, dict[str, float]]:
    """The number of words below the folders, and the uses of each group in 1,000 of them."""
    every = list(texts(folders))
    words = sum(map(word_count, every))
    uses = Counter(use.group for text in every for use in avoided(text))
    return words, {group: 1000 * uses[group] / max(words, 1) for group in PRONOUNS}


def banned_locals(folders: Iterable[str] = FOLDERS) -> Iterator[Use]:
    """Each binding of a banned name within a function: assignments, loops, comprehensions and parameters."""
    for path in files(folders, ".py"):
        for function in functions(ast.parse(path.read_text())):
            yield from (
                Use(path, getattr(node, "lineno", 0), "local", name)
                for node in ast.walk(function)
                if (name := bound(node)) in LOCALS
            )


def functions(node: ast.AST) -> Iterator[ast.AST]:
    """The outermost functions below a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield child
        else:
            yield from functions(child)


def bound(node: ast.AST) -> str:
    """The name that a node binds; none if it binds none."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.arg if isinstance(node, ast.arg) else ""


def headings(folders: Iterable[str] = FOLDERS) -> Iterator[Text]:
    """The headings of pages."""
    for path in files(folders, ".md"):
        for number, line in enumerate(plain(path.read_text()).splitlines(), 1):
            if re.match(r"#+ ", line):
                yield Text(path, number, line)


def first_sentences(folders: Iterable[str] = PRODUCT) -> Iterator[Text]:
    """The first sentence of each error that is raised with a text of its own; inserted values are left out."""
    for path in files(folders, ".py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Raise(exc=ast.Call(args=[ast.Constant() | ast.JoinedStr() as message, *_])):
                    constants = [part.value for part in ast.walk(message) if isinstance(part, ast.Constant)]
                    words = "_".join(part for part in constants if isinstance(part, str))
                    yield Text(path, node.lineno, plain(re.split(r"\. ", words)[0]))


def main() -> None:
    """Print the uses of avoided words below the folders of the command line, then the rates."""
    folders = tuple(sys.argv[1:]) or FOLDERS
    named = list(banned_locals(folders))
    for use in [*(use for text in texts(folders) for use in avoided(text)), *named]:
        print(f"{use.path.relative_to(ROOT)}:{use.line}: {use.group}: {use.excerpt}")
    words, measured = rates(folders)
    said = ", ".join(f"{group} {rate:.1f} (at most {LIMITS[group]})" for group, rate in measured.items())
    print(f"{words:,} words; per 1,000: {said}; {len(named):,} banned locals")


if __name__ == "__main__":
    main()
