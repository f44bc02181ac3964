"""Executable specifications of self-stabilising publish-subscribe overlays, implementations of them, and their judge.

The folders `spec`, `impl` and `checker` of the repository are the packages `gomboc.spec`, `gomboc.impl` and
`gomboc.checker`: in a checkout they are links beside this file, in a wheel they are copies.
"""

__version__ = "0.2.0"
