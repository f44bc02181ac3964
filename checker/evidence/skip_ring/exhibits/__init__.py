"""What the claims of the skip ring rest on: its graph in numbers, rules as printed, and scenes."""
