"""Exploration of few orders of independent steps, for channels that keep an order and runs that all end."""
