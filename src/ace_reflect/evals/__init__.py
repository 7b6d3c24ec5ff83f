"""Evaluation suites: cases as data, the engines that answer them, and the scores.

`cases` (the suites in the top-level folder `evals`, and each case laid out on disk), `session` (steps -> a transcript),
`engines` (the rules alone; a model), `score`.
"""
