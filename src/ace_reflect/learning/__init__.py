"""How it is learned: segment -> reflector -> tags -> curator -> dedup -> prune -> save.

| question | file |
| --- | --- |
| when does it run? | `queue` (the hooks' side), `worker` |
| in what order, and on what values? | `pipeline.learn`, `lesson` |
| what is read from a session? | `gather` (the ledger, citations), `segment` (what a model reads), `facts` (what it may take as true) |
| who judges? | `consult` (models: `reflector`, `curator`), or `offline` (rules) |
| what did the person want? | `person` |
| what may enter the playbook unseen? | `sources` |
| how is it saved once? | `apply`, `recorded` |
"""
