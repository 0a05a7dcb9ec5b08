"""How a program behaves while it runs."""
