"""The definition of every verdict: the naive judge, which follows one trace step by step and explains
each violation.
"""
