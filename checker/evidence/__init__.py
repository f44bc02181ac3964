"""What is known of each paper: a folder for each protocol, with its claims, lemmas and encodings."""
