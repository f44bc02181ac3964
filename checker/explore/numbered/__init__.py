"""Exploration where channels keep an order: values are numbered, and each local step is asked for once."""
