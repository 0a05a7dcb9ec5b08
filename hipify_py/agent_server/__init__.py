"""A server of the Model Context Protocol: what hipify-py knows, as tools of a coding agent."""
