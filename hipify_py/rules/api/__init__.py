"""References to API names: functions, types, enumerators, macros, namespaces and struct members."""
