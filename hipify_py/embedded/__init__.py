"""GPU code in programs of other languages: kernels in strings of Python and in notebooks, and what Cython declares.

`host_files.py` tells which files have such code. `string_values.py` follows an argument of a known constructor
(`constructors.py`) to the literals that it is made of, `literals.py` maps between a literal and its value, and
`kernel_source.py` translates the value. `translate.py` is the entry.
"""
