"""The Skip+ graph and the algorithm ALG+, after the talk on Jacob, Richa, Scheideler, Schmid and Täubig."""
