"""Executable small-step specifications of the protocols, with the predicates that they promise."""

if __name__ != "gomboc.spec":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.spec")
