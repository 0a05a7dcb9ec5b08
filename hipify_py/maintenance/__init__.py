"""What maintainers of the mapping tables run: header sets, what they declare, and the tables held against it.

Nothing here is imported by a translation.
"""
