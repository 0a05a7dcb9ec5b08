"""Runs on a cluster of dask.distributed: what is sent to its workers, what they do, and what comes back."""
