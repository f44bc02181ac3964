"""The system follows a trace wherever it goes."""

from tests.toys.words.spec import Word, header, hears, rests, system_and_steps, tells


def flights(system):
    return {id_: sent.to for id_, sent in system.in_flight.items()}


def test_it_begins_where_the_header_says():
    system, _ = system_and_steps(header("good", "bad", [(4, "b", "good"), (2, "a", "bad")]))
    assert system.states == {"a": Word("good"), "b": Word("bad")}
    assert flights(system) == {4: "b", 2: "a"}
    assert [*system.given] == [4, 2]


def test_a_message_is_in_flight_from_its_step_to_its_delivery_and_given_for_ever():
    system, (output, heard) = system_and_steps(header("new"), tells("a", 7, "new"), hears("b", 7, "new"))
    assert system.apply(output) is None
    assert flights(system) == {7: "b"}
    taken = system.apply(heard)
    assert (taken.id, taken.to, taken.message) == (7, "b", Word("new"))
    assert flights(system) == {}
    assert system.states["b"] == Word("new")
    assert [*system.given] == [7]


def test_a_delivery_of_nothing_in_flight_consumes_nothing():
    system, steps = system_and_steps(header(messages=[(1, "b", "good")]), hears("b", 3), hears("b", 1), hears("b", 1))
    assert [step and step.id for step in map(system.apply, steps)] == [None, 1, None]


def test_a_step_by_a_node_that_is_not_there_changes_no_state_and_its_messages_fly():
    system, (output,) = system_and_steps(header(), tells("x", 5))
    before = dict(system.states)
    system.apply(output)
    assert system.states == before
    assert flights(system) == {5: "a"}


def test_where_a_step_should_not_have_led_is_where_the_system_is():
    system, (wrong,) = system_and_steps(header("good"), rests("a", "evil"))
    system.apply(wrong)
    assert system.states["a"] == Word("evil")


def test_the_header_of_the_trace_stays_as_it_was():
    head = header("good")
    system, (wrong,) = system_and_steps(head, rests("a", "evil"))
    other, _ = system_and_steps(head)
    system.apply(wrong)
    assert other.states["a"] == Word("good")
