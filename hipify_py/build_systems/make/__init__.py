"""GNU Make's files, and those of Automake, which are in the same language."""
