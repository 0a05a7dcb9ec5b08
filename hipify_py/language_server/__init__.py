"""A server of the Language Server Protocol: findings, fixes and facts for the text in an editor."""
