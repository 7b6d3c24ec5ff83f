"""Evaluation suites: cases as data, the engines that answer them, and the scores."""
