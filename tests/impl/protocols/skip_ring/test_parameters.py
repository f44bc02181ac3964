from gomboc.impl.api.registry import implementation
from gomboc.impl.protocols.skip_ring.parameters import read
from gomboc.impl.publishing.limits import Limits


def test_without_parameters_there_is_the_ring_alone():
    assert read({}) is None


def test_what_is_absent_has_its_usual_value():
    assert read({"key_bits": 64}) == Limits(64, 4096, 64, None)
    assert read({"key_bits": 1, "payload_limit": 0, "chunk": 1, "keep": 1}) == Limits(1, 0, 1, 1)


def test_a_variant_is_configured_as_itself():
    made = implementation("skip_ring.printed_linearize").configured({"key_bits": 3})
    assert made.name == "skip_ring.printed_linearize"
    variants = implementation("skip_ring").configured({"key_bits": 3}).variants
    assert [variant.name for variant in variants] == [made.name, "skip_ring.printed_build_ring"]
