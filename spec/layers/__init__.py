"""Interfaces between a protocol and the layer below it."""
