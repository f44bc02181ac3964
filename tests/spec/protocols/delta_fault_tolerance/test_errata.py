"""Variants as rows: each replaces rules of ours, and takes effect wherever these are applied."""

import ast
from pathlib import Path

from gomboc.spec.protocols import delta_fault_tolerance
from gomboc.spec.protocols.delta_fault_tolerance.errata import VARIANTS

FOLDER = Path(delta_fault_tolerance.__file__).parent
REPLACED = {rule for replaced in VARIANTS.values() for rule in replaced}


def applied_directly(path):
    """The replaced rules that a module calls, or hands to `then`, without `broker.rule`."""
    names = {rule.__name__ for rule in REPLACED}
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    heads = [call.func for call in calls]
    chained = [call.args[0] for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "then"]
    return sorted(node.id for node in (*heads, *chained) if isinstance(node, ast.Name) and node.id in names)


def test_every_variant_replaces_rules_of_the_specification():
    assert all(VARIANTS.values())
    assert {rule.__module__.rpartition(".")[0] for rule in REPLACED} == {delta_fault_tolerance.__name__}


def test_a_rule_that_a_variant_replaces_is_applied_through_the_broker_alone():
    ours = [path for path in FOLDER.glob("*.py") if path.name not in ("errata.py", "printed.py")]
    assert {path.name: applied_directly(path) for path in ours if applied_directly(path)} == {}


def test_there_are_twenty_six_variants():
    assert len(VARIANTS) == 26
