"""
What was learned: key points, and everything that is done to them.

On disk: `model` (the form), `read` (every form in the field), `store` (lock and replace), `history` (differences, earlier
versions, taking back), `exchange` (import and export). Into a prompt: `index` (in SQLite), `select`, `render`, `neutral`.
Changes: `votes` (with the citations they are cast on), `change` (operations and pruning), `dedup`.
"""
