"""Claims are found by folder, in the order of the paper."""

import pytest

from gomboc.checker.errata.registry import choose_claims, find_claims, paper_of, protocols_with_claims
from gomboc.checker.errors import UsageError
from gomboc.spec.registry import protocol_names


def test_every_protocol_with_claims_is_one():
    assert protocols_with_claims() == ("chord", "delta_fault_tolerance", "skip_plus", "skip_ring")
    assert set(protocols_with_claims()) <= set(protocol_names())


def test_the_claims_of_a_module_stay_together_in_the_order_of_the_paper():
    names = [claim.name for claim in find_claims("skip_ring")]
    assert names[:2] == ["theorem_13_as_printed", "number_of_edges"]
    assert names.index("theorem_5_configuration_requests") < names.index("theorem_8_linearize")
    assert names.index("theorem_8_linearize") < names.index("claim_22")


def test_without_a_protocol_all_claims_of_all_are_chosen():
    assert [claim for _, claim in choose_claims(None, ())] == [
        claim for protocol in protocols_with_claims() for claim in find_claims(protocol)
    ]
    assert {protocol for protocol, _ in choose_claims(None, ())} == set(protocols_with_claims())


def test_named_claims_are_chosen_once_and_in_the_order_given():
    chosen = choose_claims("skip_ring", ("claim_22", "corollary_18", "claim_22"))
    assert [claim.name for _, claim in chosen] == ["claim_22", "corollary_18"]


def test_an_unknown_claim_is_refused_with_what_there_is():
    with pytest.raises(
        UsageError,
        match=r"^There is no claim 'theorem_99'; the nearest of \d+ are: theorem_\w+, theorem_\w+, theorem_\w+\.$",
    ):
        choose_claims("skip_ring", ("theorem_99",))


def test_a_protocol_without_claims_is_refused_with_what_there_is():
    with pytest.raises(
        UsageError, match=r"^There are no claims of a protocol 'chess'; there are claims of: chord, .*, skip_ring\.$"
    ):
        choose_claims("chess", ())


def test_a_paper_is_named_on_its_page():
    assert "Self-Stabilizing Supervised Publish-Subscribe Systems" in paper_of("skip_ring").introduction
