from gomboc.impl.api.topics.lookups import Waiting


def test_all_that_wait_for_a_place_of_a_topic_are_answered_once_and_in_order():
    waiting, heard = Waiting(), []
    for topic, position, key in [("a", "0", "x"), ("a", "1", "y"), ("b", "0", "x"), ("a", "0", "z")]:
        waiting.add(topic, position, key, lambda key, owner, topic=topic: heard.append((topic, key, owner)))
    waiting.answer("a", "0", "ann")
    waiting.answer("a", "0", "ben")
    assert heard == [("a", "x", "ann"), ("a", "z", "ann")]
    waiting.forget("a")
    waiting.answer("a", "1", "ann")
    waiting.answer("b", "0", "cai")
    assert heard[2:] == [("b", "x", "cai")]
