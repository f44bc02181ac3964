"""For a test suite of one's own: starts as Hypothesis strategies, and one assertion that shrinks start and schedule."""

from gomboc.checker.testing.stabilises import assert_stabilises, starts
from gomboc.checker.testing.strategies import strategy

__all__ = ["assert_stabilises", "starts", "strategy"]
