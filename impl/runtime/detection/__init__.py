"""Failure detection: the detector, the connection that runs it, its runs in a simulation, and what hosts are told."""
