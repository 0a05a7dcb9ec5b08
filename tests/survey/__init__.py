"""Surveys of many repositories, hostile ones among them."""
