"""Results as a page for a browser: one file without dependencies."""
