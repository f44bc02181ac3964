"""Small runs of the campaigns that the pages give figures of."""

from argparse import Namespace

import pytest

from tests.impl.campaigns import churn, contacts, leaving


@pytest.mark.parametrize(
    ("overlay", "layers"),
    [("skip_plus", {"dissemination", "skip_plus", "topic_directory"}), ("skip_ring", {"skip_ring"})],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_an_application_with_churn_is_judged_to_hold_in_every_layer(seed, overlay, layers):
    lines = list(churn(seed, Namespace(overlay=overlay)))
    assert lines[:2] == ["equal", "ready"]
    assert {line.partition(": ")[2] for line in lines[2:]} == {"holds"}
    assert {line.partition(":")[0] for line in lines[2:]} == layers


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_one_contact_that_crashes_splits_nobody_who_has_another_and_is_said_to_who_has_not(seed):
    assert list(contacts(seed, Namespace(contacts=2))) == ["joined, says ready, not alone"]
    assert list(contacts(seed, Namespace(contacts=1))) == ["split, says not ready, alone"]


@pytest.mark.parametrize("overlay", ["skip_plus", "skip_ring"])
@pytest.mark.parametrize("periods", [0, 0.5])
def test_a_publisher_that_leaves_at_once_leaves_its_publication_behind(overlay, periods):
    for seed in (1, 2):
        assert list(leaving(seed, Namespace(overlay=overlay, periods=periods))) == ["held by all, says kept"]
