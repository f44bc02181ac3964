"""Allowed imports, and the parts that a protocol may touch. Every finding is a sentence, and every rule can fail."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from gomboc.checker.summary.coverage import kinds as kinds_of
from gomboc.spec.core.protocol import Protocol
from tests.tree.words import statements

pytestmark = pytest.mark.xdist_group("imports")
ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("spec", "impl", "checker")
HEAVY = ("z3", "pyspark", "pyarrow", "pandas", "py4j")
WORLDLY = (
    *("asyncio", "builtins", "ctypes", "datetime", "io", "multiprocessing", "os", "pathlib", "random", "secrets"),
    *("select", "selectors", "shutil", "signal", "socket", "ssl", "subprocess", "tempfile", "threading", "time"),
    "uuid",
)
"""Standard modules through which a clock, chance, a socket or a file is reached."""
OFFENCES = tomllib.loads(Path(__file__).with_name("offences.toml").read_text(encoding="utf-8"))
"""Planted offences, by the rule that they break: the path, the text and the sentence on it."""
WORLDLY_CALLS = ("open", "input", "print", "exec", "eval", "__import__")


@cache
def imports(text):
    """Every module that a source text imports, wherever in it; `from gomboc import spec` imports gomboc.spec."""
    modules = []
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "gomboc":
            modules += [f"gomboc.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules.append("." * node.level + (node.module or ""))
    return modules


def calls(text):
    """Every plain name that a source text calls."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def offences(path, text):
    """Violations by a file at `path` (parts below the root), each in a sentence."""
    name, package = "/".join(path), path[0]
    in_protocol = package in ("spec", "impl") and path[1] == "protocols" and len(path) > 3
    for module in imports(text):
        if module.split(".")[0] in PACKAGES:
            yield f"{name} imports {module}, but the one top-level package is gomboc: write gomboc.{module}."
        top = module.removeprefix("gomboc.").split(".")[0]
        if not top:
            yield f"{name} imports {module} relative to itself; imports here are absolute."
        if package == "impl" and top in ("spec", "checker"):
            yield f"{name} imports {module}, but an implementation is an independent reading of the paper."
        if package == "spec" and top in ("impl", "checker"):
            yield f"{name} imports {module}, but a specification stands on its own."
        if package == "spec" and top not in (*sys.stdlib_module_names, "msgspec", *PACKAGES, ""):
            yield f"{name} imports {module}, but spec needs nothing but the standard library and msgspec."
        if package == "impl" and in_protocol and top not in (*sys.stdlib_module_names, "msgspec", *PACKAGES, ""):
            yield f"{name} imports {module}, but a protocol needs nothing but the standard library and msgspec."
        if package == "checker" and top == "impl" and "simulate" not in (path[1], path[1].removesuffix(".py")):
            yield f"{name} imports {module}, but only checker/simulate drives implementations; judges never see them."
        if in_protocol and top in WORLDLY:
            yield f"{name} imports {module}, but a protocol touches no clock, chance, socket or file."
    if in_protocol:
        for called in calls(text):
            if called in WORLDLY_CALLS:
                yield f"{name} calls {called}(), but a protocol touches no clock, chance, socket or file."


@cache
def sources(package):
    """Every source file of a package: its parts below the root, and its text."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return [(path.relative_to(ROOT).parts, path.read_text(encoding="utf-8")) for path in paths]


def protocol_folders(package):
    """The names of the protocols of `spec` or `impl`, each of which has a folder."""
    folders = (path for path in sorted((ROOT / package / "protocols").iterdir()) if path.is_dir())
    return [path.name for path in folders if path.name != "__pycache__"]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_imports_and_calls_only_what_it_may(package):
    sentences = [sentence for path, text in sources(package) for sentence in offences(path, text)]
    assert not sentences, "\n".join(sentences)


@pytest.mark.parametrize("case", OFFENCES["imports"], ids=lambda case: case["says"])
def test_a_planted_offence_is_found_and_said_in_a_sentence(case):
    assert list(offences(tuple(case["path"].split("/")), case["text"])) == [case["says"]]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("impl/driver.py", "import asyncio, time\nimport click"),
        ("spec/core/domain.py", "from random import Random"),
        ("checker/simulate/run.py", "from gomboc.impl.api.registry import find_implementation"),
        ("checker/simulate.py", "from gomboc import impl"),
        ("checker/replay/spark/session.py", "import pyspark"),
        (
            "spec/protocols/skip_ring/rules.py",
            "import msgspec\nfrom gomboc.spec.core.model import Outcome\nfrom functools import cache",
        ),
    ],
)
def test_what_is_allowed_is_no_offence(path, text):
    assert list(offences(tuple(path.split("/")), text)) == []


PUBLISHING = {"CheckTrie", "CheckAndPublish", "key_bits", "payload_limit"}
ROUTING = {"StillRouted"}
EVERYBODYS = {"node", "peer", "process", "machine", "member", "publish"} | PUBLISHING | ROUTING
"""Names that belong to no protocol in particular; some are of publications, whichever protocol spreads them, or of the
routes that an overlay reports to a layer."""

CITED = re.compile(r"\b(?:Definition|Algorithm|Theorem|Lemma|Corollary) \d+")
"""A place in a paper, which is some protocol's."""


def own_words(protocol):
    """The words of a protocol by which machinery would give itself away: its name, roles, parameters and kinds."""
    words = {protocol.name, *protocol.vocabulary.roles, *(erratum.name for erratum in protocol.variants.errata)}
    words |= {name for name in protocol.variants.parameters if "_" in name}
    kinds = {kind for union in (protocol.vocabulary.message, protocol.vocabulary.command) for kind in kinds_of(union)}
    words |= {kind for kind in kinds if re.fullmatch(r"([A-Z][a-z]+){2,}", kind)}
    return {
        spelled for word in words - EVERYBODYS for spelled in (word, word.replace("_", " "), word.replace("_", "-"))
    }


def is_machinery(path):
    """Whether a source file is no protocol's own."""
    return path[1] != ("evidence" if path[0] == "checker" else "protocols")


def betrayed(path, text, words):
    """The words of protocols, and the places in papers, that a file of machinery holds, each in a sentence."""
    name = "/".join(path)
    matches = dict.fromkeys(re.findall(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})s?\b", text))
    for word in matches:
        yield f"{name} says {word!r}, which is a word of one protocol; machinery asks the protocol."
    for citation in dict.fromkeys(CITED.findall(text)):
        yield f"{name} cites {citation!r}, which is in the paper of one protocol; machinery asks the protocol."


def all_words():
    """The words of all protocols that there are."""
    return {word for folder in protocol_folders("spec") for word in own_words(exported("spec", folder))}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_word_of_a_protocol_stands_in_machinery(package):
    words = all_words()
    machinery = [(path, text) for path, text in sources(package) if is_machinery(path)]
    offending = [sentence for path, text in machinery for sentence in betrayed(path, text, words)]
    assert not offending, "\n".join(offending)


def test_a_word_of_a_protocol_in_machinery_would_be_found():
    text = "def supervisors(): 'The skip ring, by SetData (Definition 1).'"
    assert [*betrayed(("checker", "judge", "naive.py"), text, all_words())] == [
        "checker/judge/naive.py says 'supervisors', which is a word of one protocol; machinery asks the protocol.",
        "checker/judge/naive.py says 'skip ring', which is a word of one protocol; machinery asks the protocol.",
        "checker/judge/naive.py says 'SetData', which is a word of one protocol; machinery asks the protocol.",
        "checker/judge/naive.py cites 'Definition 1', which is in the paper of one protocol; "
        "machinery asks the protocol.",
    ]


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("spec/core/network.py", True),
        ("impl/runtime/simulator.py", True),
        ("checker/cli/commands/check.py", True),
        ("checker/core/errors.py", True),
        ("spec/protocols/skip_ring/rules.py", False),
        ("impl/protocols/skip_ring/core.py", False),
        ("checker/evidence/skip_ring/claims/lemmas.py", False),
    ],
)
def test_machinery_is_every_file_that_is_not_a_protocols_own(path, is_one):
    assert is_machinery(tuple(path.split("/"))) is is_one


def exported(package, folder):
    """The export of a protocol folder under the name that its package asks for; None if there is none."""
    name = {"spec": "PROTOCOL", "impl": "IMPLEMENTATION"}[package]
    return getattr(import_module(f"gomboc.{package}.protocols.{folder}"), name, None)


@pytest.mark.parametrize("folder", protocol_folders("spec"))
def test_every_folder_of_spec_is_a_protocol(folder):
    protocol = exported("spec", folder)
    assert isinstance(protocol, Protocol), (
        f"spec/protocols/{folder} exports no PROTOCOL, but every folder there is a protocol."
    )
    assert protocol.name == folder, (
        f"spec/protocols/{folder} exports the protocol {protocol.name!r}, but its name is that of its folder."
    )


@pytest.mark.parametrize("folder", protocol_folders("impl"))
def test_every_folder_of_impl_is_an_implementation_of_a_protocol(folder):
    assert exported("impl", folder) is not None, (
        f"impl/protocols/{folder} exports no IMPLEMENTATION, but every folder there does."
    )
    assert folder in protocol_folders("spec"), f"impl/protocols/{folder} implements what spec does not specify."


def test_a_folder_without_a_protocol_would_be_found(monkeypatch):
    monkeypatch.delattr("gomboc.spec.protocols.skip_ring.PROTOCOL")
    assert exported("spec", "skip_ring") is None


def loaded_by(*statements):
    """The heavy libraries that a fresh interpreter has loaded after these statements."""
    code = "; ".join((*statements, "import sys", f"print(*[name for name in {HEAVY!r} if name in sys.modules])"))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("module", ["gomboc.checker", "gomboc.checker.cli"])
def test_heavy_libraries_are_loaded_by_any_node_that_needs_them_and_not_before(module):
    loaded = loaded_by(f"import {module}")
    assert not loaded, (
        f"import {module} loads {', '.join(loaded)}, but heavy libraries are loaded when they are needed."
    )


def test_a_heavy_library_that_is_loaded_would_be_found():
    assert loaded_by("import sys", "sys.modules['z3'] = sys") == ["z3"]
