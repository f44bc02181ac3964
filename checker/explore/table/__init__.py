"""The table-driven explorer for message-passing protocols: states are numbers, and a frontier is an array of them.

Local states and messages are numbered when they first occur. The specification fills the table of local steps on
demand, once for each distinct step; later uses look it up.
"""
