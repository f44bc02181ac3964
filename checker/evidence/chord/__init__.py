"""What is known of Chord, as published and as it stands in a report on it."""
