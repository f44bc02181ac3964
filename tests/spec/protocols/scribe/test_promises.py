"""Deliveries: each once unless all is asked for anew, and none while the application has unsubscribed."""

from gomboc.spec.protocols.scribe.promises import delivered_once, served_if_wanted

ONE, TWO = ["01", "a", 1, "", "a"], ["10", "a", 2, "", "a"]
IN, OUT, ANEW = {"kind": "Subscribed"}, {"kind": "Unsubscribed"}, {"kind": "Unsubscribed", "forget": True}
SPREAD = {"kind": "Spread", "publication": ONE}


def watched(observe, seen, *delivered):
    faults = ()
    for value in delivered:
        seen, found = observe("b", seen, value)
        faults += tuple(fault.rule for fault in found)
    return faults


def test_no_publication_is_delivered_twice():
    assert watched(delivered_once, (), ONE, TWO, IN, SPREAD) == ()
    assert watched(delivered_once, (), ONE, TWO, OUT, IN, ONE) == ("delivered_once",)


def test_an_application_that_forgets_may_get_all_anew():
    assert watched(delivered_once, (), ONE, ANEW, IN, ONE) == ()
    assert watched(delivered_once, (), ONE, ANEW, IN, ONE, ONE) == ("delivered_once",)


def test_no_publication_is_delivered_after_the_application_has_unsubscribed():
    assert watched(served_if_wanted, False, ONE, IN, TWO, OUT, SPREAD) == ()
    assert watched(served_if_wanted, False, OUT, ONE) == ("served_if_wanted",)
    assert watched(served_if_wanted, False, ANEW, IN, ONE, OUT, TWO) == ("served_if_wanted",)
