"""Analyses over the program model: each is computed once per unit, on first use."""
