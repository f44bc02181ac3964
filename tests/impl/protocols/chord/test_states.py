from tests.golden.chord.starts import ALONE
from tests.impl.protocols.chord.systems import node, receive, state_of


def test_a_state_is_written_anew_once_it_has_changed():
    core = node("n10")
    before = core.snapshot()
    assert core.snapshot() is before
    receive(core, kind="Notify", sender="n9")
    assert state_of(core) == {**ALONE, "predecessor": "n9"}
