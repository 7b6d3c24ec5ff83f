"""
Evaluation suites: cases as data, the engines that answer them, and the scores.

`cases` (the suites as they stand in the folder `evals`), `session` (steps -> a transcript), `stage` (laid out on disk); the
engines `rules` and `models`; `run`, `score`, `journal` (answers on file).
"""
