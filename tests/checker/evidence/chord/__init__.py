"""Tests of the evidence on Chord."""
