"""Every node does what its story tells, and nothing else: all outputs and all variables, step by step."""

import pytest

from tests.impl.refusing import refusing
from tests.impl.stories import core_of, event_of, made, state_of, told
from tests.stories.story import NOW, Life, Story, stories

STORIES = list(stories())


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.file}: {story.claim}")
def test_a_node_does_what_its_story_tells(story: Story) -> None:
    assert story.lives
    for life in story.lives:
        live(life)


def live(life: Life) -> None:
    tested, core, state = made(life), core_of(life), {**life.state}
    assert state_of(core) == state
    for step in life.steps:
        event = event_of(step, tested)
        if step.fails is not None:
            with refusing(step.fails):
                core.handle(NOW, event)
        else:
            outputs = [told(output) for output in core.handle(NOW, event)]
            timers = [output for output in outputs if output[0] == "timer"]
            assert timers == ([("timer", NOW + 1)] if step.event[0] == "times out" else [])
            assert [output for output in outputs if output[0] != "timer"] == step.outputs
        state = {key: value for key, value in {**state, **step.has}.items() if key not in step.has_no}
        assert state_of(core) == state


def test_no_two_stories_have_one_claim() -> None:
    claims = [(story.file, story.claim) for story in STORIES]
    assert len(set(claims)) == len(claims) > 100
