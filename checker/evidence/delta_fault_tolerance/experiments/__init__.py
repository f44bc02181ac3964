"""Exhibits for claims on delta-fault-tolerance: runs, walks, trees and tables."""
