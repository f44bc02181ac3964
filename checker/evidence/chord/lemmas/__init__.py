"""Lemmas on Chord, settled by z3; their words are in `lemmas.toml`."""

from pathlib import Path

from gomboc.checker.prove.wording import lemmas_below

LEMMAS = lemmas_below(__name__, Path(__file__).parent)
