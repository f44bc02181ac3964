"""The judge: replays traces against the specifications, explores and proves them, and reports verdicts.

Heavy libraries (pyspark, pyarrow, z3) are imported by the folder that needs them, when it is needed.
"""
