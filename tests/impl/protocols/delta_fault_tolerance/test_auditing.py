"""The audit: neighbours compare digests of their tables."""

from random import Random

import pytest

from gomboc.impl.protocols.delta_fault_tolerance.auditing import digest
from gomboc.impl.protocols.delta_fault_tolerance.contents import Row
from tests.impl.protocols.delta_fault_tolerance.systems import FILTERS, random_run


def test_a_digest_is_the_first_half_of_a_hash_of_compact_json():
    assert digest(()) == "4f53cda18c2baa0c"


@pytest.mark.parametrize("delta", [0, 1, 2])
def test_corrupted_rows_are_healed_from_the_sources_outward(delta):
    system, faults = random_run(4, 6, delta, events=20, crashes=False, audit=True)
    assert faults == []
    random = Random(delta)
    for name, core in sorted(system.cores.items()):
        for row in core.at.table.rows():
            if random.random() < 0.5:
                core.at.table.remove(row.source, row.filter)
        for source in system.names:
            if source != name and random.random() < 0.5:
                core.at.table.add(Row(source, random.choice(FILTERS), random.choice(core.at.known)))
    assert system.unsettled()
    system.run_until(system.simulation.now + 12)
    assert system.unsettled() == []


@pytest.mark.parametrize("seed", [1, 2])
def test_the_audit_breaks_nothing_where_brokers_crash(seed):
    _, faults = random_run(seed, 6, 2, events=30, spacing=0.2, joining=2, audit=True)
    assert faults == []
