"""The program model of one translation unit: scopes, symbols, functions, calls, control flow, launches."""
