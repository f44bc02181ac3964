"""Results on the supervised skip ring: claims of its paper, lemmas, and the material of both."""
