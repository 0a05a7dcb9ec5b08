"""Conditional sections: which branch is compiled for AMD GPUs, and what is left out."""
