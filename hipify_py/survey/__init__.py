"""Surveys: how portable many repositories are, each looked at by a process of its own on some worker of a cluster."""
