"""What is known of the supervised skip ring: claims of its paper, lemmas, and what both rest on."""
