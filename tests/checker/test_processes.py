"""Work in processes ends with whoever started them, in order, and an interrupt is for one process alone."""

import multiprocessing
import os
import resource
import signal
import time

import pytest

from checker.errors import UsageError
from checker.processes import in_processes, processes


def kill_oneself(number):
    if number == 1:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.raise_signal(signal.SIGKILL)
    return number


def test_a_process_that_dies_is_one_sentence():
    with pytest.raises(UsageError) as error:
        list(in_processes(kill_oneself, 4, 2))
    assert str(error.value) == "A process that was at work died, perhaps for lack of memory: give fewer --jobs."


def test_results_come_in_the_order_of_their_numbers():
    assert list(in_processes(str, 5, 2)) == list(in_processes(str, 5, 1)) == ["0", "1", "2", "3", "4"]


def test_each_process_is_given_so_many_at_a_time():
    workers = list(in_processes(process_at, 6, 2, at_once=3))
    assert len(set(workers[:3])) == len(set(workers[3:])) == 1


def process_at(number):
    return os.getpid()


def test_a_process_does_not_see_an_interrupt_not_even_while_it_starts(capfd):
    before = set(multiprocessing.active_children())
    with processes(2) as pool:
        asked = [pool.submit(time.sleep, 0.1) for _ in range(2)]
        started = set(multiprocessing.active_children()) - before
        for child in started:
            os.kill(child.pid, signal.SIGINT)
        assert [each.result() for each in asked] == [None, None]
    assert len(started) == 2
    assert capfd.readouterr().err == ""


def test_the_caller_still_does():
    with pytest.raises(KeyboardInterrupt), processes(1):
        signal.raise_signal(signal.SIGINT)


def test_processes_end_with_a_body_that_fails():
    before, left = set(multiprocessing.active_children()), set()
    with pytest.raises(ValueError, match="out of ink"), processes(1) as pool:
        fail_while_others_work(pool, left)
    assert [child.exitcode for child in left - before] == [-signal.SIGTERM]


def fail_while_others_work(pool, left):
    pool.submit(time.sleep, 30)
    left.update(multiprocessing.active_children())
    raise ValueError("out of ink")
