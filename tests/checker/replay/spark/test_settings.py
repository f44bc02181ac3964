"""The settings of a session, from a master and a machine."""

import pytest

from gomboc.checker.replay.spark.settings import (
    GIBIBYTE,
    Machine,
    Master,
    driver_memory,
    parse_master,
    settings,
    worker_memory,
)
from tests.checker.refusing import sentence


@pytest.mark.parametrize(
    ("text", "url", "threads"),
    [
        ("local", "local[1,8]", 1),
        ("local[*]", "local[*,8]", None),
        ("local[2]", "local[2,8]", 2),
        ("local[4,1]", "local[4,1]", 4),
    ],
)
def test_a_local_master_gets_three_attempts_unless_it_says_how_many(text, url, threads):
    assert parse_master(text) == Master(url, local=True, threads=threads)


def test_a_standalone_master_may_have_several_hosts():
    master = parse_master("spark://one:7077,[::1]:7078")
    assert master == Master("spark://one:7077,[::1]:7078", local=False, hosts=(("one", 7077), ("::1", 7078)))


@pytest.mark.parametrize("text", ["yarn", "k8s://https://10.0.0.1:6443"])
def test_masters_that_queue_are_passed_on(text):
    assert parse_master(text) == Master(text, local=False)


@pytest.mark.parametrize(
    "text", ["", "locale", "local[0]", "local[]", "spark://", "spark://host", "mesos://a:1", "sc://a"]
)
def test_a_malformed_master_is_refused_in_one_sentence(text):
    assert sentence(parse_master, text) == (
        f"{text!r} is not a Spark master: write local[*], local[N], spark://host:port, yarn or k8s://address."
    )


@pytest.mark.parametrize(
    ("gibibytes", "processors", "driver", "worker"), [(24, 2, "4g", "6g"), (8, 4, "2g", "2g"), (2, 1, "1g", "2g")]
)
def test_memory_is_a_part_of_the_machines(gibibytes, processors, driver, worker):
    machine = Machine(processors, gibibytes * GIBIBYTE)
    assert (driver_memory(machine), worker_memory(machine, processors)) == (driver, worker)


def test_settings_of_the_caller_win():
    machine = Machine(2, 24 * GIBIBYTE)
    ours = settings(parse_master("local[3]"), machine, "a name", {})
    theirs = settings(parse_master("local[3]"), machine, "a name", {"spark.ui.enabled": "true"})
    assert ours["spark.executor.pyspark.memory"] == "4g"
    assert theirs == ours | {"spark.ui.enabled": "true"}


def test_only_a_local_session_is_bound_to_this_machine():
    remote = settings(parse_master("yarn"), Machine(2, 24 * GIBIBYTE), "a name", {})
    assert not {"spark.driver.host", "spark.driver.bindAddress", "spark.executor.pyspark.memory"} & set(remote)
