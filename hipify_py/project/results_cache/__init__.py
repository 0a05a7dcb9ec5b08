"""Results of earlier runs: kept by content and by all else that they depend on, and never trusted when damaged."""
