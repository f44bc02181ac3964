from tests.golden.chord.starts import ALONE
from tests.impl.protocols.chord.systems import CHORD


def test_without_parameters_ids_are_hashes_of_256_bits_and_lists_have_three():
    assert (
        CHORD.configured({}).make("node", "ann", ALONE, None).me.parameters
        == CHORD.make("node", "ben", ALONE, None).me.parameters
    )
    me = CHORD.make("node", "ann", ALONE, None).me
    assert (me.parameters.bits, me.parameters.ids, me.parameters.r, me.parameters.meet) == (256, "hash", 3, False)
