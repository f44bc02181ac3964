"""Every node of the specification may do what its story tells, and nothing else with that coin."""

import msgspec
import pytest

from gomboc.spec.core.model import CERTAIN
from tests.spec.stories import coin_of, input_of, outcomes, outputs_of, protocol_of, told_of
from tests.stories.story import Story, stories

OF_HOSTS = {
    "chord core: a contact with ones own id is refused",
    "chord core: a place from ones own id changes nothing",
    "skip_plus core: a contact that cannot be one is refused",
    "skip_plus core: a message with strings of another length is refused",
    "skip_ring supervisor: the supervisor takes no command of a subscriber",
}
"""Stories of what only an implementation has to bear: in a system of the specification no node has such a name, and
no role is given the command of another."""

SHARED = [story for story in stories() if f"{story.file}: {story.claim}" not in OF_HOSTS]


@pytest.mark.parametrize("story", SHARED, ids=lambda story: f"{story.file}: {story.claim}")
def test_a_node_may_do_what_its_story_tells(story: Story) -> None:
    assert story.lives
    for life in story.lives:
        protocol, state = protocol_of(life), {**life.state}
        for step in life.steps:
            local = msgspec.convert(state, protocol.vocabulary.roles[life.role])
            state = {key: value for key, value in {**state, **step.has}.items() if key not in step.has_no}
            after = msgspec.convert(state, protocol.vocabulary.roles[life.role])
            coin = coin_of(step)
            fallen = {
                name: (outcome.local, outputs_of(outcome))
                for name, outcome in outcomes(protocol, life, local, input_of(step, protocol))
                if coin is None or name in (coin, CERTAIN[0].name)
            }
            assert (after, told_of(step)) in fallen.values()
            assert coin is not None or CERTAIN[0].name in fallen or len(fallen) > 1


def test_most_stories_are_shared() -> None:
    assert len(SHARED) > 200
    assert {f"{story.file}: {story.claim}" for story in stories()} >= OF_HOSTS
