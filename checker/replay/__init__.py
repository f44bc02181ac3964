"""The same verdicts for many traces: packs of columns, the factored kernel, runs in processes or on Spark."""
