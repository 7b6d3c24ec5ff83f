"""
Asking a model where rules cannot tell.

`role` is the one shape of every question, `answers` what is taken for an answer. About a stop: `when` (is a model asked at
all?), `stop` (its kind, the assessment, the judge), `subject` with `work` and `instructions` (what it is shown), `evaluate`
(what it comes to), `message`, `notify`. Others: `routing`, `compaction`, and `review` of a `diff`.
"""
