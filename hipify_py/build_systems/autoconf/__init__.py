"""Autoconf's `configure.ac` and its macros in `*.m4`: shell in which M4 expands macros."""
