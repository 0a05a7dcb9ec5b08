"""Warps and wavefronts: lanes, divergence, launch shapes, the range of shuffles, lane masks, locks."""
