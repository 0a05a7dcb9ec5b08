"""Runs on a cluster of dask.distributed: what is sent to the workers, what they do, and what they return."""
