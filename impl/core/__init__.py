"""Names, errors and counters, and the interface of a protocol's core."""
