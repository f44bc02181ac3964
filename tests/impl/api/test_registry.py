from gomboc.impl.api.registry import implementation, implementations
from tests.impl.refusing import refusing


def test_implementations_are_found_by_their_folder():
    assert {"dissemination", "skip_plus", "skip_ring", "skip_ring.printed_linearize"} <= {*implementations()}


def test_a_variant_is_of_the_same_protocol():
    assert {
        implementation.protocol
        for implementation in implementations().values()
        if implementation.name.startswith("skip_ring")
    } == {"skip_ring"}


def test_an_unknown_name_is_refused_with_those_that_there_are():
    with refusing(f"There is no implementation 'tapestry'; there are: {', '.join(implementations())}."):
        implementation("tapestry")
