from fractions import Fraction

import pytest
from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Received, Timeout
from gomboc.spec.core.protocol import configured
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import linearize
from gomboc.spec.protocols.skip_ring.errata import printed_introduce_shortcut, printed_linearize, printed_partners
from gomboc.spec.protocols.skip_ring.state import Claim, Entry, IntroduceShortcut, Linearize, Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import partners, sides
from gomboc.spec.publishing.exchange import CheckTrie
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.publishing.trie import Summary

A, B, C = Claim("0", "a"), Claim("01", "b"), Claim("11", "c")
U = Subscriber("1", left=B, right=C)
ERRATA = {erratum.name: erratum for erratum in PROTOCOL.variants.errata}
PUBLISHING = configured(PROTOCOL, {"key_bits": 3})
PRINTED = {erratum.name: erratum.protocol for erratum in PUBLISHING.variants.errata}
HELD = tuple(Publication(key, "a", number, "", "a") for number, key in enumerate(("000", "001", "010", "110")))


def test_the_errata_are_named_after_the_rules_they_publish():
    assert list(ERRATA) == [
        "printed_build_ring",
        "printed_linearize",
        "printed_introduce_shortcut",
        "printed_partners",
        "printed_hashes",
    ]
    assert all(erratum.breaks and erratum.source for erratum in PROTOCOL.variants.errata)


@pytest.mark.parametrize("name", ERRATA)
def test_a_variant_is_the_protocol_with_the_reactions_of_other_rules_and_no_errata(name):
    variant = ERRATA[name].protocol
    react, choices, variants = PROTOCOL.actor.react, PROTOCOL.actor.choices, PROTOCOL.variants
    ours = variant.changed(react=react, choices=choices, configured=variants.configured, errata=variants.errata)
    assert ours == PROTOCOL
    assert variant.actor.choices.__self__ == rules_of(variant)
    assert variant.variants.errata == ()


@pytest.mark.parametrize("protocol", [PROTOCOL, PUBLISHING], ids=["ring", "publishing"])
def test_only_in_the_ring_that_is_wholly_printed_a_reference_to_oneself_weighs(protocol):
    """It is the value that the node stores, and no printed line forgets it. Source: Algorithm 4, lines 7-11."""
    u = Subscriber("11", left=Claim("0", "me"), ring=Claim("0", "me"))
    (ours, *_), (seldom, *_) = (
        variant.actor.choices("me", u, Timeout()) for variant in (protocol, PRINTED["printed_build_ring"])
    )
    assert (ours.probability, seldom.probability) == (Fraction(1, 2), Fraction(1, 16))


@pytest.mark.parametrize("name", ERRATA)
def test_a_variant_can_be_configured_before_or_after_it_is_chosen(name):
    afterwards = {variant.name: variant.protocol for variant in PUBLISHING.variants.errata}[name]
    before = configured(ERRATA[name].protocol, {"key_bits": 3})
    for variant in (before, afterwards):
        assert rules_of(variant) == replace(rules_of(ERRATA[name].protocol), parameters=Parameters(3))
        assert variant.variants.errata == ()


def rules_of(protocol):
    """The rules with which a protocol reacts."""
    return protocol.actor.react.__self__


def test_the_protocol_that_is_found_by_name_follows_no_printed_erratum():
    assert find_protocol("skip_ring") is PROTOCOL
    assert PROTOCOL.actor.react not in [erratum.protocol.actor.react for erratum in PROTOCOL.variants.errata]


@pytest.mark.parametrize(
    ("name", "u", "taken"),
    [
        ("printed_linearize", U, Received(Linearize(Claim("111", "b")))),
        ("printed_build_ring", Subscriber("01", left=A, right=C), Received(Linearize(Claim("01", "me")))),
        (
            "printed_introduce_shortcut",
            Subscriber("01", left=A, shortcuts=(Entry("11", "c"),)),
            Received(IntroduceShortcut(C)),
        ),
        (
            "printed_partners",
            Subscriber("01", left=Claim("001", "x"), right=Claim("1", "z"), shortcuts=(Entry("0", "a"),)),
            Timeout(),
        ),
        ("printed_hashes", Subscriber("0", publications=HELD), Received(CheckTrie("a", (Summary("", "0" * 32),)))),
    ],
)
def test_each_variant_reacts_with_its_own_rule_and_only_one_that_has_it_too_does(name, u, taken):
    having = ["printed_build_ring", name] if name == "printed_linearize" else [name]
    (*_, choice) = PROTOCOL.actor.choices("me", u, taken)
    ours = PUBLISHING.actor.react("me", u, taken, choice)
    assert [other for other in PRINTED if PRINTED[other].actor.react("me", u, taken, choice) != ours] == having


def test_printed_and_ours_agree_where_nothing_is_contradicted():
    for claim in (A, B, C, Claim("011", "x"), Claim("101", "y"), Claim("111", "z"), Claim("0", "me")):
        assert printed_linearize(U, "me", claim) == linearize(U, "me", claim)


def test_printed_a_shortcut_that_did_not_change_is_linearised_again():
    u = Subscriber("01", left=A, shortcuts=(Entry("11", "c"),))
    assert printed_introduce_shortcut(u, "me", C, linearize) == Outcome(replace(u, right=C))


def test_printed_one_with_a_shortcut_on_one_side_only_introduces_no_node():
    u = Subscriber("01", left=Claim("001", "x"), right=Claim("1", "z"), shortcuts=(Entry("0", "a"),))
    assert printed_partners(u, *sides(u)) == (None, None)
    assert partners(u, *sides(u)) == (A, Claim("1", "z"))


@pytest.mark.parametrize("name", ERRATA)
def test_a_variant_refuses_what_has_no_rule(name):
    with pytest.raises(ValueError, match="has no rule for"):
        ERRATA[name].protocol.actor.react(
            "v1", Subscriber(), "nonsense", PROTOCOL.actor.choices("v1", Subscriber(), Timeout())[0]
        )
