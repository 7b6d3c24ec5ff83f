"""
Asking a model where rules cannot tell.

`role.ask` is the one shape of every question, `asker` says who asks and on whose account, `answers` what is taken for an
answer, with `fields` that are read loosely. About a stop: `when` (is a model asked at all?), `run` (the whole of it),
`subject` with `work` and `instructions` (what it is shown), `self_assessment`, `judge`, `stop_kind`, `audit` (its word
against the ledger), `evaluate` (what it comes to), `message`, `notify`. Others: `routing`; `compaction` with `standing` and
`github_work`; `review` with `diff`, `git` and `consensus`. `text` makes texts short.
"""
