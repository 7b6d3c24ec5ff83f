"""Asking a model what the rules cannot tell.

`role` is the shape of every question, `answers` of every answer. About a stop: `when` (is a model asked at all?), `stop` (its
kind, the assessment, the judge), `subject` with `instructions` (what it is shown), `evaluate` (what it comes to), `message`,
`notify`. Others: `routing`, `compaction`, and `review` of a `diff`.
"""
