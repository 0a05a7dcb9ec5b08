"""Inline PTX: parses `asm` statements, and writes them as equivalent HIP by the tables in `mappings/ptx`."""
