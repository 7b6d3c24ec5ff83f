"""What is remembered between hooks: `state.db`.

| module | holds |
| --- | --- |
| `db` | the tables, `open_state`, `State`'s verbs, and what is forgotten in time |
| `cache` | derived values by what they were made from: what stops have read, settings; what the person trusts; which process
answers an event, and the first Stop entry's decision for the second |
| `sessions` | sessions, their human prompts and the key points injected with them; gates that are notes in a project |
| `jobs` | the queue of what is to be learned |
| `record` | votes and changes on record; changes of a playbook that were begun; what waits for review; what models cost |
| `processes` | whether a process lives; those that outlive the hook that starts them |
"""
