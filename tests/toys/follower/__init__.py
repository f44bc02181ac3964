"""A layer over any overlay with routes: each node knows its next hop towards one key, and asks for it."""
