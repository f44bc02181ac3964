"""A working skeleton of a protocol, as text files with the name `example`."""
