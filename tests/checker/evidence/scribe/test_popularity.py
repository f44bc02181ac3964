"""What a topic costs by tree and by broadcast: the page has what is measured."""

from pathlib import Path

import pytest

from gomboc.checker.evidence.scribe.experiments.popularity import drawn, flood, of_tree, ring, routes_to, table, trees
from gomboc.spec.layers.routing import route_faults
from gomboc.spec.protocols.scribe.space import names

# With the claims: one is made of the same runs.
pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

PAGES = Path(__file__).parents[4] / "spec/protocols/scribe"


def test_the_page_has_the_table_and_the_chart_that_are_measured():
    by_tree, broadcast = trees(), flood()
    assert table(by_tree, broadcast) in (PAGES / "README.md").read_text(encoding="utf-8")
    assert drawn(by_tree, broadcast) == (PAGES / "popularity.svg").read_text(encoding="utf-8")


def test_every_route_of_the_ring_ends_at_the_owner_within_a_few_hops():
    hops = routes_to(ring(names(16)), 12345)
    assert route_faults(hops) == ()


def test_a_publication_takes_one_message_for_each_edge_and_upkeep_two():
    publication, upkeep = of_tree(ring(names(16)), 16, 1)
    assert (publication.sent.total(), upkeep.sent.total()) == (15, 30)
    assert publication.handled.total() == 30
