"""The golden traces of Skip+."""

from tests.golden.skip_plus.negatives import ALTERATIONS
from tests.golden.telling import negatives_of, starts_of, stories_of

STORIES = stories_of("skip_plus", starts_of("skip_plus"))
NEGATIVES = negatives_of("skip_plus", ALTERATIONS, STORIES.runs)
