"""How a program behaves at run time."""
