import pytest

from gomboc.impl.core.errors import UsageError
from tests.impl.protocols.chord.systems import ALONE, CHORD, numbered


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"bits": 0}, "Expected `int` >= 1 - at `$.bits`"),
        ({"bits": 257}, "Expected `int` <= 256 - at `$.bits`"),
        ({"r": 0}, "Expected `int` >= 1 - at `$.r`"),
        ({"ids": "name"}, "Invalid enum value 'name' - at `$.ids`"),
        ({"length": 3}, "Object contains unknown field `length`"),
        ({"bits": 4, "keys": ["a", "0a"]}, "the key '0a' is not one of 1 hexadecimal digits below 2^4"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(values, reason):
    with pytest.raises(UsageError) as error:
        CHORD.configured(values)
    assert str(error.value) == f"These are not parameters of Chord: {reason}."


def test_without_parameters_ids_are_hashes_of_256_bits_and_lists_have_three():
    assert (
        CHORD.configured({}).make("node", "ann", ALONE, None).me.parameters
        == CHORD.make("node", "ben", ALONE, None).me.parameters
    )
    me = CHORD.make("node", "ann", ALONE, None).me
    assert (me.parameters.bits, me.parameters.ids, me.parameters.r, me.parameters.meet) == (256, "hash", 3, False)


@pytest.mark.parametrize(
    ("role", "name", "sentence"),
    [
        ("supervisor", "n1", "Chord has no role 'supervisor'; it has: node."),
        ("node", "ann", "'ann' is no name of a node of Chord: the name 'ann' does not end in a number."),
        ("node", "n64", "'n64' is no name of a node of Chord: the number of 'n64' is not below 64."),
    ],
)
def test_another_role_or_a_name_without_an_id_is_refused(role, name, sentence):
    with pytest.raises(UsageError) as error:
        numbered().make(role, name, ALONE, None)
    assert str(error.value) == sentence
