"""Lemmas, settled by z3: what each says, whether it is proved or refuted, and a weaker version that must fail.

Importing this package does not import z3; `gomboc.checker.prove.registry.find_lemmas` does, when it is called.
"""
