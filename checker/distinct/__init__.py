"""Distinct values and steps of many traces as numbers: spelled, decoded and judged once each."""
