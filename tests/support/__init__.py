"""Builders and servers that tests share."""
