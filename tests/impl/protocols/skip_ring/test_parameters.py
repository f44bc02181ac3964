import pytest

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.skip_ring.parameters import read
from gomboc.impl.publishing.limits import Limits


def test_without_parameters_there_is_the_ring_alone():
    assert read({}) is None


def test_what_is_absent_has_its_usual_value():
    assert read({"key_bits": 64}) == Limits(64, 4096, 64, None)
    assert read({"key_bits": 1, "payload_limit": 0, "chunk": 1, "keep": 1}) == Limits(1, 0, 1, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"chunk": 3}, "Object missing required field `key_bits`."),
        ({"key_bits": 0}, "Expected `int` >= 1 - at `$.key_bits`."),
        ({"key_bits": 257}, "Expected `int` <= 256 - at `$.key_bits`."),
        ({"key_bits": 8, "chunk": 0}, "Expected `int` >= 1 - at `$.chunk`."),
        ({"key_bits": 8, "keep": 0}, "Expected `int` >= 1 - at `$.keep`."),
        ({"key_bits": 8, "payload_limit": -1}, "Expected `int` >= 0 - at `$.payload_limit`."),
        ({"key_bits": 8, "colour": 1}, "Object contains unknown field `colour`."),
    ],
)
def test_parameters_that_make_no_sense_are_refused(values, message):
    with pytest.raises(UsageError) as error:
        implementation("skip_ring").configured(values)
    assert str(error.value) == f"These are not parameters of the skip ring: {message}"


def test_a_variant_is_configured_as_itself():
    made = implementation("skip_ring.printed_linearize").configured({"key_bits": 3})
    assert made.name == "skip_ring.printed_linearize"
    variants = implementation("skip_ring").configured({"key_bits": 3}).variants
    assert [variant.name for variant in variants] == [made.name, "skip_ring.printed_build_ring"]
