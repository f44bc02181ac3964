"""Experiments on HyParView and its broadcast."""
