"""YAML files: CI jobs, conda environments and recipes, compositions of containers."""
