"""Meson's build files: a reader of their language, and the rules for them."""
