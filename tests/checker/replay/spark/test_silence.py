"""Only a process that neither works nor answers is given up, and a loaded machine has all the time that it needs."""

import os
import subprocess
import sys
import time

import pytest

from gomboc.checker.replay.spark.silence import BUSY, LOOK_SECONDS, Silence, processor_seconds


class Watched:
    """A process with a processor time that the test sets, and a clock."""

    def __init__(self):
        self.used = self.at = 0.0
        self.silence = Silence(1, lambda process: self.used, lambda: self.at)

    def pass_by(self, seconds, used):
        self.at += seconds
        self.used += used
        return self.silence.look()


def test_silence_adds_up_as_long_as_nothing_is_done():
    watched = Watched()
    assert [watched.pass_by(1.0, 0.0) for _ in range(3)] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("share", [1.01 * BUSY, 0.1, 1.0, 2.0])
def test_slow_progress_is_no_silence_however_long_it_takes(share):
    watched = Watched()
    assert {watched.pass_by(1.0, share) for _ in range(1000)} == {0.0}


def test_the_use_of_a_waiting_process_is_silence_and_work_ends_it():
    watched = Watched()
    assert watched.pass_by(10.0, 10 * BUSY / 2) == 10.0
    assert watched.pass_by(1.0, 1.0) == 0.0
    assert watched.pass_by(2.0, 0.0) == 2.0


def test_looks_that_follow_at_once_are_one():
    watched = Watched()
    assert [watched.pass_by(LOOK_SECONDS / 4, 0.0) for _ in range(4)] == [0.0, 0.0, 0.0, LOOK_SECONDS]


WORK = (
    "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nprint(1, flush=True)\ninput()"
)

TICKS = 2 / os.sysconf("SC_CLK_TCK")
"""The system rounds both times of a process, its own and the system's for it, down to a tick."""


def test_the_processor_time_of_a_process_is_that_of_the_system():
    words = [sys.executable, "-c", WORK]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        used = processor_seconds(process.pid)
        time.sleep(0.2)
        assert 0.3 - TICKS <= used <= processor_seconds(process.pid) < used + 0.1
        process.stdin.close()
    assert processor_seconds(2**22 + 1) == 0.0
