"""Benchmarks: `make bench`. Medians of several runs, with the machine and the versions they were measured on."""
