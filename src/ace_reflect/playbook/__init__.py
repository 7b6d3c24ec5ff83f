"""What was learned: key points, and everything that is done to them.

On disk: `model` (the form), `read`, `store`, `history`. Into a prompt: `index`, `select`, `render`, `neutral`.
Changes: `votes` (with the citations they are cast on), `change`, `dedup`.
"""
