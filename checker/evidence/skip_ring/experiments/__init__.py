"""Material for the claims of the skip ring: its graph in numbers, rules as printed, and scenes."""
