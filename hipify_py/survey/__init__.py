"""Surveys: how portable many repositories are, each examined in its own process on some worker of a cluster."""
