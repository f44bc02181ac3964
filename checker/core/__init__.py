"""Errors, output, processes and files that every part of the checker uses."""
