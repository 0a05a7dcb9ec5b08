"""Includes."""
