"""The text of each property that is claimed, common to all engines."""

from gomboc.spec.core.model import Kind, Promise, everywhere

ALWAYS = "it holds in every reachable state"

STABLE = "once it holds, every step keeps it"

SOMETIMES = "it holds in some reachable state"

POSSIBLE = "from every state one can get to where it holds (AG EF), so random schedules do with probability 1"

BOUNDED = "the number of steps until it holds is bounded, whatever the scheduler does"

EXPECTED = "the expected number of steps until it holds, where chance alone decides"

RECEIPTS_COMMUTE = "the receipts of one round commute, as the protocol says"

COMMUTING = Promise(Kind.ALWAYS, "commuting", everywhere, "the protocol's commuting")
"""The promise that a synchronous protocol declares of itself: its receipts commute."""
