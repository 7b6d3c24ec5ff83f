"""Asking a model where rules cannot tell."""
