"""The factored replay: judge distinct local steps once, then compose and count whole batches of traces in columns.

`README.md` follows a batch through it. Importing this package imports nothing heavy; its modules need numpy and
pyarrow.
"""
