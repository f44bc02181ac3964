"""Implementations: protocol cores without input or output, and the machinery that runs them."""

if __name__ != "gomboc.impl":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.impl")
