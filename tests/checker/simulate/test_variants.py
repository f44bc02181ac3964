"""Variants have one name, for `gomboc simulate --variant` and for `gomboc check --variant`."""

from pathlib import Path

import pytest

from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.registry import implementation
from gomboc.spec.core.registry import find_protocol, protocol_names

VARIANTS = [(name, each.name) for name in protocol_names() for each in implementation(name).variants]


def test_some_variants_are_implemented():
    assert {protocol for protocol, _ in VARIANTS} == {"chord", "skip_ring"}


@pytest.mark.parametrize(("protocol", "variant"), VARIANTS, ids=str)
def test_a_variant_of_an_implementation_conforms_to_the_printed_rule_of_its_name(protocol, variant, tmp_path):
    name = variant.removeprefix(f"{protocol}.")
    assert name in {erratum.name for erratum in find_protocol(protocol).variants.errata}
    made = simulate_trace(Plan(protocol, variant, (4,), 1, seed=5, disturb=True, steps=1_500), tmp_path, 0)
    assert isinstance(judge_file(Path(made.path), Options(name)).conformance, Holds)
