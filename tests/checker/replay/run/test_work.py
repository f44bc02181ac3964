"""Pieces of work: parts and units, with keys that depend on all their inputs and on nothing else.

Source: checker/README.md, Corpora
"""

import subprocess
import sys

from msgspec.structs import replace

from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.run.work import (
    LEAST_STEPS,
    OF_JUDGES,
    OF_VERDICTS,
    Packs,
    Unit,
    by_size,
    key_of,
    parts_of,
    survey,
    units_of,
)

PACKS = Packs("skip_ring", {"a.pack": "1", "b.pack": "2"}, (), steps=10 * LEAST_STEPS)


def keys(packs=PACKS, options=None, parts=2):
    return {part.key for part in parts_of(packs, options or Options(), parts)}


def test_parts_are_as_many_as_are_asked_for_and_each_has_its_key():
    assert [(part.number, part.parts) for part in parts_of(PACKS, Options(), 3)] == [(0, 3), (1, 3), (2, 3)]
    assert len(keys(parts=3)) == 3


def test_no_process_is_started_for_a_handful_of_steps():
    assert len(parts_of(PACKS, Options(), 1_000)) == 10
    assert len(parts_of(replace(PACKS, steps=5), Options(), 1_000)) == 1


def test_the_key_of_a_part_depends_on_the_packs_and_on_the_variant_and_on_no_bound():
    other = replace(PACKS, digests={"a.pack": "1", "b.pack": "3"})
    assert keys().isdisjoint(keys(other))
    assert keys().isdisjoint(keys(options=Options("printed_linearize")))
    assert keys() == keys(options=Options(None, 7))


def test_the_key_of_anything_depends_on_the_specification(monkeypatch):
    before = key_of("a")
    monkeypatch.setattr("gomboc.checker.replay.run.work.spec_digest", lambda: "another")
    assert key_of("a") != before


def test_all_modules_that_judge_steps_or_make_verdicts_are_in_the_keys_of_a_store():
    program = "import sys, {}; print(*(name for name in sys.modules if name.startswith('gomboc.checker.')))"

    def unnamed(module, packages):
        ran = subprocess.run([sys.executable, "-c", program.format(module)], capture_output=True, text=True, check=True)
        named = {package.__name__ for package in packages}
        return {".".join(name.split(".")[:3]) for name in ran.stdout.split()} - named

    assert unnamed("gomboc.checker.distinct.judging", OF_JUDGES) == {"gomboc.checker.core"}
    assert unnamed("gomboc.checker.replay.run.units", OF_VERDICTS) == set()


def test_units_are_the_row_groups_of_all_packs_and_depend_on_the_bound(true):
    packs = survey(true, False)
    units, damaged = units_of(true, packs, Options())
    assert (sum(unit.traces for unit in units), damaged) == (24, [])
    assert {unit.pack for unit in units} == set(packs.digests)
    assert {unit.key for unit in units}.isdisjoint(unit.key for unit in units_of(true, packs, Options(None, 7))[0])


def test_the_largest_unit_is_done_first():
    units = [Unit(str(number), "a.pack", number, traces) for number, traces in enumerate((3, 9, 5))]
    assert [unit.traces for unit in by_size(units)] == [9, 5, 3]


def test_a_survey_counts_the_steps_of_all_packs(true):
    from gomboc.checker.replay.pack.read import open_corpus

    assert survey(true, False).steps == open_corpus(true).manifest.counts.steps
