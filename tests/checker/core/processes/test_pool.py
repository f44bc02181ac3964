"""Worker processes end with the process that started them, in order, and an interrupt is for one process alone."""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomboc.checker.core.processes.pool import processes
from gomboc.checker.core.processes.work import in_processes
from tests.checker.refusing import sentence


def kill_oneself(number):
    if number == 1:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.raise_signal(signal.SIGKILL)
    return number


def test_a_process_that_dies_is_one_sentence():
    assert (
        sentence(list, in_processes(kill_oneself, 4, 2))
        == "A process that was at work died, perhaps for lack of memory: give fewer --jobs."
    )


def test_results_come_in_the_order_of_their_numbers():
    assert list(in_processes(str, 5, 2)) == list(in_processes(str, 5, 1)) == ["0", "1", "2", "3", "4"]


def test_each_process_is_given_so_many_at_a_time():
    workers = list(in_processes(process_at, 6, 2, at_once=3))
    assert len(set(workers[:3])) == len(set(workers[3:])) == 1


STOPPING = """
import multiprocessing, time
from gomboc.checker.core.processes.work import in_processes

kill = multiprocessing.process.BaseProcess.kill
multiprocessing.process.BaseProcess.kill = lambda child: (kill(child), time.sleep(1))

def slowly(number):
    time.sleep(0.01)
    return number

if __name__ == "__main__":
    results = in_processes(slowly, 1000, 2)
    print(next(results))
    results.close()
"""
"""The thread that looks after processes sees that they are killed before it hears that all is over."""


def test_a_caller_that_stops_early_gets_no_further_error(tmp_path):
    (tmp_path / "stopping.py").write_text(STOPPING)
    done = subprocess.run([sys.executable, tmp_path / "stopping.py"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0\n", "")


def process_at(number):
    return os.getpid()


def test_a_process_does_not_see_an_interrupt_not_even_while_it_starts(capfd):
    before = set(multiprocessing.active_children())
    with processes(2) as pool:
        asked = [pool.submit(time.sleep, 0.1) for _ in range(2)]
        started = set(multiprocessing.active_children()) - before
        for child in started:
            os.kill(child.pid, signal.SIGINT)
        assert [entry.result() for entry in asked] == [None, None]
    assert len(started) == 2
    assert capfd.readouterr().err == ""


def test_the_caller_still_does():
    with pytest.raises(KeyboardInterrupt), processes(1):
        signal.raise_signal(signal.SIGINT)


def test_processes_end_with_a_body_that_fails():
    before, left = set(multiprocessing.active_children()), set()
    with pytest.raises(ValueError, match="out of ink"), processes(1) as pool:
        fail_while_others_work(pool, left)
    assert [child.exitcode for child in left - before] == [-signal.SIGKILL]


def fail_while_others_work(pool, left):
    pool.submit(time.sleep, 30)
    left.update(multiprocessing.active_children())
    raise ValueError("out of ink")


WORKING = """
import os, time
from gomboc.checker.core.processes.signals import ending_in_order
from gomboc.checker.core.processes.work import in_processes

def work(number):
    # One write for each line, which print does not promise where output is not buffered.
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(600)

if __name__ == "__main__":
    with ending_in_order():
        try:
            list(in_processes(work, 2, 2))
        finally:
            print("cleaned up", flush=True)
"""
"""Two processes that work for ever; the process that started them cleans up when it may."""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_processes_end_with_their_parent_however_it_ends(number, tmp_path):
    """Only the parent is killed, as a cancelled job in CI does it, and not its group."""
    (tmp_path / "working.py").write_text(WORKING)
    command = [sys.executable, tmp_path / "working.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as parent:
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        parent.send_signal(number)
        # Whoever reads what they print gets to its end only when all of them are gone.
        said = parent.stdout.read()
    assert said == ("" if number == signal.SIGKILL else "cleaned up\n")
    assert parent.returncode == (-number if number == signal.SIGKILL else 128 + number)
    assert not any(is_running(worker) for worker in workers)


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z" if Path("/proc").exists() else True


def test_a_worker_sees_no_signal_for_the_process_that_started_it():
    with processes(1) as pool:
        asked = pool.submit(process_that_signals_itself)
        assert asked.result() == sorted(map(int, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)))


def process_that_signals_itself():
    return sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, ())))


def test_no_more_processes_are_started_than_there_are_pieces(monkeypatch):
    started = []
    counted = lambda jobs: started.append(jobs) or processes(jobs)  # noqa: E731
    monkeypatch.setattr("gomboc.checker.core.processes.pool.processes", counted)
    assert list(in_processes(str, 3, 100, at_once=2)) == ["0", "1", "2"]
    assert list(in_processes(str, 3, 100, at_once=3)) == ["0", "1", "2"]
    assert started == [2]


def run_out_of_memory(number):
    raise MemoryError


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_lack_of_memory_is_one_sentence(jobs):
    assert (
        sentence(list, in_processes(run_out_of_memory, 2, jobs))
        == "There is not enough memory for this work: give fewer --jobs, or smaller traces."
    )
