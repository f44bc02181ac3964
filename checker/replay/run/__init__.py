"""Engines: run the factored judge on whole corpora, on this machine or on Spark, resumable and in bounded memory.

Importing this package imports nothing heavy; its modules need numpy and pyarrow, and `on_spark` needs pyspark.
"""
