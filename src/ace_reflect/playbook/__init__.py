"""
What was learned: key points and everything that is done to them.

`model` (the form), `read` (every form that exists), `store` (the file: lock, replace, history) with `plain_file`, `history`,
`exchange` (import and export). Into a prompt: `index` (what a hook needs, in SQLite), `select`, `render`, `neutral`; out of
an answer: `cite`. Changes: `tags` (votes), `change` (operations, pruning), `dedup` with `words`, `outcome` (what became of each),
`delta` (what differs, and how to take it back).
"""
