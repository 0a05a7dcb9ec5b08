"""Analyses over the program model: each computed once a unit, and asked by name."""
