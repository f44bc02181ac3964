"""Recorded stacks: folders with the traces of all layers of a run, which are judged one by one and joined."""
