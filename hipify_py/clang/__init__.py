"""libclang: where it and the headers that it reads come from, and one translation unit at a time, in a child process.

Nothing here knows of translations: a job says what to parse and what to ask, and plain data come back.
"""
