"""Tests that share slow fixtures run in one process, with any number of processes."""

import os

import pytest


def test_any_node_that_distributes_tests_knows_their_groups(request: pytest.FixtureRequest):
    """pytest-xdist 3.8 reads the groups, and loses them from pytest 9.2 on, without a word."""
    group = request.node.get_closest_marker("xdist_group").args[0]
    assert request.node.nodeid.endswith(f"@{group}") is ("PYTEST_XDIST_WORKER" in os.environ)
