"""Tests of spec/chord."""
