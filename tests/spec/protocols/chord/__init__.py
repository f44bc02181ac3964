"""Tests of spec/protocols/chord."""
