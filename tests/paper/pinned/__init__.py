"""The results of the claims on each protocol: a module of each, named as the protocol."""
