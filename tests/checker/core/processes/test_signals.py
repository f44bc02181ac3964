"""A signal that asks to end is heard, in whatever thread and whatever the code does with its exception."""

import signal
import subprocess
import sys

import pytest

MISSING = """
import signal, threading, time
from gomboc.checker.core.processes.signals import ending_in_order

def elsewhere():
    time.sleep(0.2)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

with ending_in_order():
    threading.Thread(target=elsewhere).start()
    waited_for = threading.Lock()
    waited_for.acquire()
    waited_for.acquire(timeout=600)
"""
"""The signal comes to another thread than the one that waits, which does not notice it."""


def test_a_signal_ends_a_wait_though_another_thread_got_it():
    done = subprocess.run([sys.executable, "-c", MISSING], timeout=300, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, "")


SWALLOWING = """
import os, signal, time
from gomboc.checker.core.processes.signals import ending_in_order

class Swallows:
    def __del__(self):
        os.kill(os.getpid(), signal.{name})
        time.sleep(0)

with ending_in_order():
    Swallows()
    time.sleep(600)
"""
"""Python lets no exception out of a destructor, and an interrupt is one."""


@pytest.mark.parametrize(("name", "code"), [("SIGINT", -signal.SIGINT), ("SIGTERM", 128 + signal.SIGTERM)])
def test_a_signal_in_a_destructor_is_heard_all_the_same(name, code):
    words = [sys.executable, "-c", SWALLOWING.format(name=name)]
    done = subprocess.run(words, timeout=300, check=False, capture_output=True, text=True)
    assert done.returncode == code
    assert "Exception ignored" not in done.stderr


DEAF = """
import sys, time
import gomboc.checker.core.processes.signals as signals

signals.LEAVE_SECONDS = 0.5

def work():
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass

with signals.ending_in_order():
    print("at work", flush=True)
    work()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_ends_even_code_that_swallows_every_exception(number):
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "at work\n"
        process.send_signal(number)
        try:
            assert process.wait(timeout=30) == 128 + number
        finally:
            process.kill()
