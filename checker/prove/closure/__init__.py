"""Closure for any number of nodes: the real rules and predicates, run on symbolic names along every path.

`closure` states it for a protocol, and `gomboc prove` settles it.
"""
