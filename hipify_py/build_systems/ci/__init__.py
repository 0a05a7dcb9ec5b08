"""CI jobs in YAML."""
