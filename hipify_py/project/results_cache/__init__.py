"""Results of earlier runs: stored by content and all other inputs, and never trusted if damaged."""
