"""Definitions of the user's own that collide with HIP's."""
