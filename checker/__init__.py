"""The judge: replays traces against the specifications, explores and proves them, and reports verdicts.

Heavy libraries (pyspark, pyarrow, z3) are imported by the folder that needs them, when it is needed.
"""

if __name__ != "gomboc.checker":
    # A checkout on the path would otherwise load every module a second time, under another name.
    raise ImportError(f"there is no top-level package {__name__!r}: import gomboc.checker")
