"""Reading of traces: files, lines, keys and their faults."""
