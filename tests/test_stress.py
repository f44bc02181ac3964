"""One round of `python -m tests.stress`, which does many: runs in each other's way, and runs that are killed."""

import signal

import pytest

from tests.stress import Stage, killed, together

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return Stage(tmp_path_factory.mktemp("stage"))


@pytest.mark.dear
@pytest.mark.parametrize("name", ["simulate into packs", "replay"])
def test_of_two_runs_into_one_output_each_ends_right_or_with_a_sentence(stage, name):
    together(stage, name, 2, 1)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_of_a_run_that_is_killed_no_process_is_left_and_nothing_that_looks_complete(stage, number):
    killed(stage, "replay", number, 1)
