"""Blocks of traces as columns: their messages, turns, rounds and sleeping nodes."""
