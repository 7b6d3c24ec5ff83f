"""Whom we ask: one port, its providers, model choice, JSON from prose, cost."""
