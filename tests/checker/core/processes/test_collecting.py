"""The collector of cycles rests where many values are made, and goes on afterwards."""

import gc

from gomboc.checker.core.processes.collecting import without_collecting


def test_no_cycles_are_looked_for_meanwhile_and_again_afterwards():
    assert gc.isenabled()
    with without_collecting():
        assert not gc.isenabled()
    assert gc.isenabled()
