"""The pinned models of every protocol have the recorded results; those that are meant to fail do, and a trace shows it.

`make explore` and `make exhaustive` hold the models that take longer against their records, too.
"""

import pytest

from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.report import results_of
from gomboc.checker.explore.results.saving import save
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.pinned import records_beside
from tests.plugins.promises import findings, named_verdicts
from tests.spec.protocols.exploring import explored, in_process_of, models_of, module_of

QUICK = {
    "chord": (
        *("join_and_crash", "adopts_unasked", "never_pings", "waits_for_answers", "principals_fail_freely"),
        *("backwards", "two_rings", "false_suspicions", "two_rings_meet"),
    ),
    "delta_fault_tolerance": (
        *("four", "any_direction", "printed_index", "status_of_the_other", "forgets_its_client", "leaf", "audit"),
        *("figure_5_of_failing_leaves", "four_too_many", "leaf_below_two"),
    ),
    "dissemination": ("one",),
    "hyparview": ("joined", "one_sided", "held", "kept", "spread"),
    "scribe": tuple(name for name, pinned in models_of("scribe").items() if pinned.results.states < 26_000),
    "skip_plus": ("three_equal", "misfits", "closure_of_three", "closure_by_one"),
    "skip_ring": (
        *(
            "one_supervisor_named",
            "two_hearsay",
            "printed_linearize",
            "three_hearsay",
            "printed_partners",
            "two_crash",
            "two_suspect",
        ),
    ),
    "topic_directory": ("two", "two_upwards", "one_outside"),
}
"""Models that take a second or a few."""

SETTLED = {
    "chord": ("two_rings_meet",),
    "dissemination": ("one",),
    "hyparview": ("joined", "held", "kept", "spread"),
    "scribe": ("astray", "four", "publications", "publish", "no_handover", "orphan", "apart"),
    "skip_ring": ("one", "two", "one_supervisor_named", "two_hearsay", "three_hearsay", "two_crash", "two_suspect"),
    "topic_directory": ("two", "two_upwards", "one_outside"),
}
"""Those that converge for any number of messages in flight; further ones are in `test_settled_models.py`."""

CONVERGENCE = {"convergence from": "possible", "convergence every": "inevitable", "convergence the": "bounded"}
"""The names in records of the findings on convergence, by how these begin."""


def in_its_process(protocol, *values, dear=False):
    return pytest.param(protocol, *values, marks=[in_process_of(protocol), *[pytest.mark.dear] * dear])


@pytest.mark.parametrize(
    ("protocol", "name"),
    [
        *(in_its_process("skip_ring", name, dear=True) for name in ("one", "two")),
        *(in_its_process(protocol, name) for protocol, names in QUICK.items() for name in names),
    ],
)
def test_the_results_are_those_recorded(protocol, name):
    exploration, records = explored(protocol, name), records_beside(module_of(protocol))
    assert results_of(exploration) == models_of(protocol)[name].results
    (pattern,) = [records.verdicts[row.verdicts] for row in records.models if row.name == name]
    verdicts = {
        CONVERGENCE.get(said, said): kind.__name__.lower() for said, kind in named_verdicts(exploration).items()
    }
    assert verdicts == pattern.by_finding()
    held = {one.promise: one.verdict.claim for one in exploration.findings if isinstance(one.verdict, Holds)}
    any_number = {promise for promise, claim in held.items() if claim.startswith("any number of messages in flight")}
    assert ("convergence" in any_number) == (name in SETTLED.get(protocol, ()))
    assert "convergence" not in any_number or name == "joined" or {"closure", "canonical"} <= any_number


@pytest.mark.parametrize(
    ("protocol", "name", "promise"),
    [
        in_its_process("chord", "adopts_unasked", "invariant"),
        in_its_process("chord", "adopts_unasked", "at_least_one_ring"),
        in_its_process("chord", "never_pings", "convergence"),
        in_its_process("chord", "principals_fail_freely", "invariant"),
        in_its_process("chord", "backwards", "convergence"),
        in_its_process("chord", "two_rings", "convergence"),
        in_its_process("hyparview", "accepts_all", "closure"),
        in_its_process("scribe", "sends_once", "convergence"),
        in_its_process("scribe", "parent_from_sender", "convergence"),
        in_its_process("scribe", "no_heartbeats", "convergence"),
        in_its_process("scribe", "no_refresh", "convergence"),
        in_its_process("scribe", "heartbeat_timer", "closure"),
    ],
)
def test_what_fails_is_saved_as_a_trace_that_the_judge_confirms(tmp_path, protocol, name, promise):
    pinned, about = models_of(protocol)[name], findings(explored(protocol, name), promise)
    finding = next(finding for finding in about if isinstance(finding.verdict, Violated))
    saved = save(Target(pinned.name, pinned.about, pinned.model, "by a test"), finding, tmp_path / name)
    assert saved.confirm.endswith(f"--variant {pinned.variant}" if pinned.variant else ".jsonl"), saved.why


@pytest.mark.parametrize("protocol", ["chord", "hyparview", "scribe"])
def test_every_variant_has_a_model_that_breaks(protocol):
    models = [*models_of(protocol).values()]
    variants = {variant.name for variant in models[0].model.protocol.variants.errata}
    assert {pinned.variant for pinned in models if pinned.variant} == variants
    assert all("violated" in pinned.results.verdicts for pinned in models if pinned.variant)
