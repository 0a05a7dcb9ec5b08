"""How paths name the folder of CUDA's toolkit, wherever it is installed; parts of regular expressions."""

from __future__ import annotations

PLACES = rb"/(?:usr/local|opt|usr/lib|opt/nvidia)/(?:cuda|CUDA)(?:-toolkit)?"

WITHIN = rb"(?:/\d+(?:\.\d+)+)?(?:/cuda(?![\w.-]))?"
"""Clusters keep several versions in one folder: `/opt/cuda/6.0/cuda/bin`, `/opt/cuda-4.0/cuda/include` (SHOC)."""
