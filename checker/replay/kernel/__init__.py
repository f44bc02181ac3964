"""The factored replay: distinct local steps judged once, whole batches of traces composed and counted in columns.

`README.md` walks a batch through it. Importing this package imports nothing heavy; its modules need numpy and pyarrow.
"""
