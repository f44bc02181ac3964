from tests.impl.protocols.skip_ring.cores import BLANK, LoadedCoin, make, state_of
from tests.impl.publications import configured


def holding(state):
    return configured().make("subscriber", "u", state, LoadedCoin(0.5))


def test_what_has_its_usual_value_is_not_written():
    usual = {"crashed": False, "forgets": False, "publications": [], "hashes": []}
    assert state_of(holding({**BLANK, **usual})) == BLANK
    assert state_of(make("supervisor", "supervisor", {"database": [], "next": 0, "suspects": []})) == {
        "database": [],
        "next": 0,
    }
