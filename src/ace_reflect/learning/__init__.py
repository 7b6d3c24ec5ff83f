"""
How it is learned: segment -> reflector -> tags -> curator -> dedup -> prune -> save.

| question | file |
| --- | --- |
| when does it run? | `queue` (the hooks' side), `worker` |
| in what order? | `pipeline.learn` |
| what is read of a session? | `gather` (facts, citations, the person's words), `citations`, `segment` with `messages` and `fit` (what a model reads), `facts` (what it may take as true) |
| who judges? | `consult` (models: `reflector`, `curator`, `whom`), or `offline` (rules: `judged`, `reactions`, `mistakes`, `preferences` with `orders`, `foreign_orders`, `own_part`, `words` and `wording`); both give a `lesson` |
| what may enter the playbook unseen? | `sources`, `persons_word` (what a person has settled before) |
| how is it saved once? | `apply`, `recorded`, `settle` |
"""
