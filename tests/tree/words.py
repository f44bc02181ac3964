"""Count the words that this repository avoids: `python -m tests.tree.words [FOLDER ...]`.

Texts are docstrings and Markdown pages. Code, quotations and block quotes are left out, so a quoted paper is exempt.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
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


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements below a node; expressions are not looked into."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        children = getattr(node, name, ())
        for child in children if isinstance(children, list) else ():
            yield child
            yield from statements(child)


def docstrings(path: Path, tree: ast.Module) -> Iterator[Text]:
    """The docstrings of a module: of itself, its classes and functions, and those below its constants and fields."""
    for statement in statements(tree):
        match statement:
            case ast.Expr(value=ast.Constant(value=str(words))):
                yield Text(path, statement.lineno, plain(words))


def files(folders: Iterable[str], suffix: str) -> Iterator[Path]:
    """The files with this suffix that are or lie below the folders, without caches."""
    for folder in folders:
        top = ROOT / folder
        below = [top] if top.is_file() else sorted(top.rglob(f"*{suffix}"))
        yield from (path for path in below if path.suffix == suffix and "__pycache__" not in path.parts)


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


class Findings(msgspec.Struct):
    """The words of docstrings and pages, the avoided ones, and of the product locals and first sentences of errors."""

    words: int = 0
    uses: list[Use] = []
    banned: list[Use] = []
    sentences: list[Text] = []

    def rates(self) -> dict[str, float]:
        """The uses of each group in 1,000 words."""
        uses = Counter(use.group for use in self.uses)
        return {group: 1000 * uses[group] / max(self.words, 1) for group in PRONOUNS}


def findings(folders: Iterable[str] = FOLDERS) -> Findings:
    """All that is found below the folders; each file is read once."""
    folders = tuple(folders)
    result = Findings()
    for path in (*files(folders, ".py"), *files(folders, ".md")):
        tree = ast.parse(path.read_text()) if path.suffix == ".py" else None
        texts = [*docstrings(path, tree)] if tree else [Text(path, 1, plain(path.read_text()))]
        result.words += sum(map(word_count, texts))
        result.uses.extend(use for text in texts for use in avoided(text))
        if tree and any(path.is_relative_to(ROOT / package) for package in PRODUCT):
            result.banned.extend(banned_locals(path, tree))
            result.sentences.extend(first_sentences(path, tree))
    return result


def banned_locals(path: Path, tree: ast.Module) -> Iterator[Use]:
    """Each binding of a banned name within a function: assignments, loops, comprehensions and parameters."""
    for function in functions(tree):
        for node in ast.walk(function):
            if (name := bound(node)) in LOCALS:
                yield Use(path, getattr(node, "lineno", 0), "local", name)


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


def first_sentences(path: Path, tree: ast.Module) -> Iterator[Text]:
    """The first sentence of each error that is raised with a text of its own; inserted values are left out."""
    for statement in statements(tree):
        match statement:
            case ast.Raise(exc=ast.Call(args=[ast.Constant() | ast.JoinedStr() as message, *_])):
                constants = [part.value for part in ast.walk(message) if isinstance(part, ast.Constant)]
                words = "_".join(part for part in constants if isinstance(part, str))
                yield Text(path, statement.lineno, plain(re.split(r"\. ", words)[0]))


def main() -> None:
    """Print the uses of avoided words below the folders of the command line, then the rates."""
    result = findings(tuple(sys.argv[1:]) or FOLDERS)
    for use in (*result.uses, *result.banned):
        print(f"{use.path.relative_to(ROOT)}:{use.line}: {use.group}: {use.excerpt}")
    said = ", ".join(f"{group} {rate:.1f} (at most {LIMITS[group]})" for group, rate in result.rates().items())
    print(f"{result.words:,} words; per 1,000: {said}; {len(result.banned):,} banned locals of the product")


if __name__ == "__main__":
    main()
