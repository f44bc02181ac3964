"""The facade for applications."""
