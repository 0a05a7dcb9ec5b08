"""libclang: finds it and the headers that it reads, and parses one translation unit at a time in a child process.

Nothing here knows about translations: a job specifies what to parse and what to ask, and returns plain data.
"""
