"""The table-driven explorer for message-passing protocols: states are numbers, and a frontier is an array of them.

Local states and messages are numbered when they first occur. The table of local steps is filled by the specification on
demand, once for each distinct step, and looked up ever after.
"""
