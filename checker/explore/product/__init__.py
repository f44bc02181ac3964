"""Convergence for any number of messages in flight, settled on local states alone: without channels, without states."""
