"""What claims on delta-fault-tolerance show: runs, walks, trees and tables."""
