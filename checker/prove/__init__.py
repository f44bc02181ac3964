"""Lemmas, proved by z3: their statements, verdicts, and negative controls that must fail.

Importing this package does not import z3; `gomboc.checker.prove.registry.find_lemmas` does, when it is called.
"""
