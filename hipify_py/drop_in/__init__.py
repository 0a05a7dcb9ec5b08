"""Stands in for AMD's hipify-perl and hipify-clang: their options, places, statistics and exit statuses.

The translation is hipify-py's own. Facts about the two tools are from HIPIFY of ROCm 6.3 (`bin/`, `src/`), and what
later releases have added is named where it is used.
"""
