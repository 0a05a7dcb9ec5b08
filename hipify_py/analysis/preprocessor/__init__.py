"""Conditional sections: which branch an AMD GPU compiles, and what is left out."""
