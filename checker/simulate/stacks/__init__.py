"""Simulated runs of stacks: of applications over them, where an implementation offers that, or layer by layer."""
