"""The rules of scripts, a module each; `apply` of each adds to a script."""
