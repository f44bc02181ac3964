"""Hosts, transports, clocks, topics and the simulator."""
