"""Runs on a cluster: a real scheduler and real worker processes of this machine."""
