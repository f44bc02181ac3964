"""Claims of papers, put to the test: each claim a value, with a function that settles it anew."""
