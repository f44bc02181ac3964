"""Each stage of a gate with input that is empty, corrupted, unreadable in part, or of another protocol: never green."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.checker.cli.command import gomboc
from tests.checker.gate.project import change, gate

pytestmark = pytest.mark.long

TRACES = Path(__file__).resolve().parents[3] / "traces" / "skip_ring"
FOREIGN = TRACES / "corrupted_database.ok.jsonl"
REPLAY = "[tool.gomboc.replay]\nleast = 60\n"
SIMULATE = '[tool.gomboc.simulate]\nnodes = "1..3"\ntraces = 60\nseed = 5\n'
PROVE, ERRATA = "\n[tool.gomboc.prove]\nlemmas = [{}]\n", "\n[tool.gomboc.errata]\nclaims = [{}]\n"
LEMMA = '"two_places_cut_the_circle"'


class Case(NamedTuple):
    """A change of the project, and the exit code and sentence with which the gate then ends."""

    prepare: Callable[[], object]
    code: int
    says: str


def table(old, new):
    return lambda: change(Path(), "pyproject.toml", old, new)


def more(text):
    """Further tables, behind all others."""

    def add():
        path = Path("pyproject.toml")
        path.write_text(path.read_text() + text)

    return add


def corpus(fill):
    """Make the gate replay a corpus instead of the simulated one."""

    def prepare():
        path = Path("pyproject.toml")
        text = path.read_text().replace(SIMULATE, "").replace(REPLAY, '[tool.gomboc.replay]\ncorpus = "corpus"\n')
        path.write_text(text[: text.index("[[tool.gomboc.mutants]]")])
        Path("corpus").mkdir()
        fill(Path("corpus"))

    return prepare


def packs(folder):
    folder.rmdir()
    Path("two").mkdir()
    for name in ("corrupted_database.ok", "restarts.ok"):
        result = TRACES / f"{name}.jsonl"
        shutil.copy(result if result.exists() else FOREIGN, Path("two", f"{name}.jsonl"))
    assert gomboc("ingest", "two", "--output", folder).code == 0


def broken_packs(folder):
    packs(folder)
    path = next(folder.rglob("traces.parquet"))
    path.write_bytes(path.read_bytes()[:-40])


def lines(*extra):
    def fill(folder):
        shutil.copy("recorded/two_lamps.jsonl", folder)
        for name, content in extra:
            (folder / name).write_bytes(content)

    return fill


def gone(folder):
    shutil.copy("recorded/two_lamps.jsonl", folder)
    (folder / "gone.jsonl").symlink_to("nowhere")


def other_model():
    Path("others.py").write_text(Path("lamps.py").read_text().replace('name="lamps"', 'name="others"'))
    change(Path(), "pyproject.toml", '["lamps:MODEL"]', '["others:MODEL"]')


GARBAGE = b"\x00\xff{"
CASES = {
    ("simulate", "empty"): Case(lambda: Path("lamp.py").write_text(""), 2, "The module lamp has no 'IMPLEMENTATION'"),
    ("simulate", "corrupted"): Case(lambda: Path("lamp.py").write_bytes(GARBAGE), 2, "lamp:IMPLEMENTATION cannot"),
    ("simulate", "in part"): Case(
        table('nodes = "1..3"\ntraces = 60\nseed = 5', 'traces = 60\nstart = "none.jsonl"'),
        2,
        "none.jsonl: No such file",
    ),
    ("simulate", "foreign"): Case(table('"lamp:IMPLEMENTATION"', '"skip_ring"'), 2, "skip_ring"),
    ("check", "empty"): Case(lambda: Path("recorded/two_lamps.jsonl").unlink(), 2, "there is no trace in it"),
    ("check", "corrupted"): Case(
        lambda: Path("recorded/two_lamps.jsonl").write_bytes(GARBAGE), 2, "unreadable: read (recorded/two_lamps.jsonl)"
    ),
    ("check", "in part"): Case(
        lambda: Path("recorded/gone.jsonl").symlink_to("nowhere"), 2, "recorded/gone.jsonl: No such file"
    ),
    ("check", "foreign"): Case(
        lambda: shutil.copy(FOREIGN, "recorded"), 3, "traces of skip_ring were judged, and the table asks for lamps"
    ),
    ("replay", "empty"): Case(corpus(lambda folder: None), 2, "corpus: there is no trace in it"),
    ("replay", "corrupted"): Case(corpus(broken_packs), 2, "traces.parquet"),
    ("replay", "corrupted lines"): Case(corpus(lines(("bad.jsonl", GARBAGE))), 2, "corpus/bad.jsonl"),
    ("replay", "in part"): Case(corpus(gone), 2, "corpus/gone.jsonl: No such file"),
    ("replay", "foreign"): Case(corpus(packs), 3, "traces of skip_ring were judged, and the table asks for lamps"),
    ("replay", "foreign lines"): Case(
        corpus(lines(("ring.jsonl", FOREIGN.read_bytes()))),
        3,
        "traces of skip_ring were judged, and the table asks for lamps",
    ),
    ("explore", "empty"): Case(table('["lamps:MODEL"]', '["lamps:MODELS"]'), 2, "has no 'MODELS'"),
    ("explore", "corrupted"): Case(lambda: Path("lamps.py").write_bytes(GARBAGE), 2, "lamps:PROTOCOL cannot be"),
    ("explore", "in part"): Case(table('["lamps:MODEL"]', '["lamps:MODEL", "lamps:MODELS"]'), 2, "has no 'MODELS'"),
    ("explore", "foreign"): Case(other_model, 3, "models of others were explored, and the table asks for lamps"),
    ("prove", "empty"): Case(more(PROVE.format("")), 2, "lemmas is [], so nothing is asked for"),
    ("prove", "corrupted"): Case(more(PROVE.format('"nonsense"')), 2, "There is no lemma 'nonsense'"),
    ("prove", "in part"): Case(more(PROVE.format(f'{LEMMA}, "nonsense"')), 2, "There is no lemma 'nonsense'"),
    ("prove", "foreign"): Case(more(PROVE.format(LEMMA)), 3, "no lemma is about lamps, which the table asks for"),
    ("errata", "empty"): Case(more(ERRATA.format("")), 2, "claims is [], so nothing is asked for"),
    ("errata", "foreign"): Case(more(ERRATA.format('"nonsense"')), 2, "There are no claims of a protocol"),
    ("mutants", "empty"): Case(lambda: Path("lamp.py").write_text(""), 2, "The module lamp has no 'IMPLEMENTATION'"),
    ("mutants", "corrupted"): Case(lambda: Path("lamps.py").write_bytes(GARBAGE), 2, "lamps:PROTOCOL cannot be"),
    ("mutants", "in part"): Case(
        more('\n[[tool.gomboc.mutants]]\nname = "none"\nfile = "none.py"\nold = "a"\nnew = "b"\n'),
        2,
        "none.py cannot be read",
    ),
    ("mutants", "foreign"): Case(
        table('"lamp:IMPLEMENTATION"', '"skip_ring"'),
        2,
        "implementation (skip_ring): 'skip_ring' names no implementation",
    ),
}


@pytest.mark.parametrize(("stage", "input_is"), CASES)
def test_a_stage_with_bad_input_is_not_green_and_says_why(stage, input_is, lamps):
    case = CASES[stage, input_is]
    case.prepare()
    ran, result = gate("--stage", stage)
    assert ran.code == case.code, ran
    assert case.says in ran.out + ran.err, ran
    assert result is None or {entry["verdict"] for entry in result["stages"]} != {"holds"}


@pytest.mark.parametrize("name", ["nonsense", "a claim that is there and nonsense"])
def test_claims_that_are_not_there_are_not_settled(name, lamps):
    text = '[tool.gomboc]\nprotocol = "chord"\n[tool.gomboc.errata]\nclaims = [{}]\n'
    claims = ", ".join(f'"{claim}"' for claim in (["ordered_ring"] if " " in name else []) + ["nonsense"])
    Path("pyproject.toml").write_text(text.format(claims))
    ran, _ = gate("--stage", "errata")
    assert ran.code == 2, ran


def test_a_page_of_nothing_is_not_green(lamps):
    ran, _ = gate("--stage", "report")
    assert ran.code == 3, ran
    assert "unknown: page: there is nothing to show" in ran.out
