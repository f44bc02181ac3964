"""The explorer of shared memory: all states are initial, and all of them are explored at once."""
