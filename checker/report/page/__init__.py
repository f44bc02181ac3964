"""What is found, as a page for a browser: one file, which needs nothing else."""
