"""Evidence on Chord, as published and as described in a report on it."""
