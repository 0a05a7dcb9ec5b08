"""Inline PTX: reads `asm` statements, and writes them as HIP of the same meaning by the tables in `mappings/ptx`."""
