"""Kernel launches."""
