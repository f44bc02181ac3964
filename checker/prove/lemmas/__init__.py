"""The lemmas: a folder for each subject, a file for each lemma or family, which exports LEMMAS."""
