"""Processes of this machine: their ends by signals, cleaning up after them, and pools of workers."""
