"""What becomes of findings after rules have made them: their selection, suppression, fingerprints and annotations."""
