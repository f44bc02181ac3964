"""Layers below, and beside, one that publishes."""
