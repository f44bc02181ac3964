"""The explorer of shared memory: all states are initial, and all of them are taken at once."""
