"""Files in YAML: jobs of CI, environments and recipes of conda, compositions of containers."""
