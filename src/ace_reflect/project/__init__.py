"""
What the repository says: manifests, test and build commands, git facts, instruction files.

`facts` (what is known) first; `read` (from a checkout) with `scopes`, `manifests/` (one reader an ecosystem), `place`, `tree`,
`git` and `instructions`; `infer` (from a transcript alone); `references` (which new files nothing names).
"""
