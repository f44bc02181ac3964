"""Exhaustive exploration of finite models: a plain explorer over values, and one over tables of integers."""
