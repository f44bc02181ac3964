"""Claims are found by the evidence on their protocol, in the order of the paper, with their experiments."""

import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.errata.registry import (
    choose_claims,
    experiment,
    find_claims,
    paper_of,
    protocols_with_claims,
    script_of,
)
from gomboc.checker.errata.scene import Scene
from gomboc.spec.core.registry import protocol_names

CLAIM = find_claims("chord")[0]


def test_every_protocol_with_claims_is_one():
    assert protocols_with_claims() == (
        "chord",
        "delta_fault_tolerance",
        "hyparview",
        "scribe",
        "skip_plus",
        "skip_ring",
    )
    assert set(protocols_with_claims()) <= set(protocol_names())


def test_the_claims_stand_in_the_order_of_the_paper():
    names = [claim.name for claim in find_claims("skip_ring")]
    assert names[:2] == ["theorem_13_as_printed", "number_of_edges"]
    assert names.index("theorem_5_configuration_requests") < names.index("theorem_8_linearize")
    assert names.index("theorem_8_linearize") < names.index("claim_22")


def test_without_a_protocol_all_claims_of_all_are_chosen():
    every = [(protocol, claim) for protocol in protocols_with_claims() for claim in find_claims(protocol)]
    assert [*choose_claims(None, ())] == every


def test_named_claims_are_chosen_once_and_in_the_order_given():
    chosen = choose_claims("skip_ring", ("claim_22", "corollary_18", "claim_22"))
    assert [claim.name for _, claim in chosen] == ["claim_22", "corollary_18"]


@pytest.mark.parametrize(
    ("protocol", "name", "sentence"),
    [
        ("skip_ring", "theorem_99", r"There is no claim 'theorem_99'; the nearest of \d+ are: (theorem_\w+(, |\.)){3}"),
        ("chess", "", r"There are no claims of a protocol 'chess'; there are claims of: chord, .*, skip_ring\."),
    ],
)
def test_an_unknown_claim_or_protocol_is_refused_with_what_there_is(protocol, name, sentence):
    with pytest.raises(UsageError, match=f"^{sentence}$"):
        choose_claims(protocol, (name,))


def test_a_paper_is_named_on_its_page():
    assert "Self-Stabilizing Supervised Publish-Subscribe Systems" in paper_of("skip_ring").introduction


FOLDER = "gomboc.checker.evidence.chord.experiments"


@pytest.mark.parametrize(
    ("reference", "arguments", "problem"),
    [
        ("nowhere.at_all", {}, f"No module named '{FOLDER}.nowhere'"),
        ("joins.nothing", {}, f"module '{FOLDER}.joins' has no attribute 'nothing'"),
        ("invariants.breaks", {"title": "x"}, "missing a required argument: 'name'"),
    ],
)
def test_an_experiment_or_a_scene_that_is_not_there_is_refused(reference, arguments, problem):
    claim = replace(CLAIM, experiment=reference, arguments=arguments)
    scene = Scene("stuck", "it is stuck", reference, arguments=arguments)
    for who, asks in (
        (f"The claim {CLAIM.name!r}", lambda: experiment("chord", claim)),
        ("The scene 'stuck'", lambda: script_of("chord", scene)),
    ):
        with pytest.raises(UsageError) as refusal:
            asks()
        sentence = f"{who} on chord names {reference!r}, which cannot be called ({problem}): fix it."
        assert str(refusal.value) == sentence
