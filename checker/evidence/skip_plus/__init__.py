"""Evidence on Skip+ and on the claims of its slides."""
