"""Replay: judge many traces. Packs in columns, the factored kernel, processes or Spark; verdicts as the
naive judge's.
"""
