"""What papers claim, put to the test: each claim a value, with a function that settles it anew."""
