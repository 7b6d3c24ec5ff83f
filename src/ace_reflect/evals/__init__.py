"""
Evaluation suites: cases as data, the engines that answer them, and the scores.

`cases` (the suites as they stand in the folder `evals`, and each laid out on disk), `session` (steps -> a transcript),
`engines` (the rules alone; a model), `score`.
"""
