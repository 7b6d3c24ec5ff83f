"""
What is remembered between hooks: `state.db`.

    with open_state(paths.home(environ)) as state:          # db.py
        if claims.claim(state, event, payload, transcript): # an event registered twice is answered once
            row = prompts.current(state, session_id)        # PromptRow: text, attempts, end_state

| module | holds |
| --- | --- |
| `db` | `open_state`, `State`'s verbs, and what is forgotten in time |
| `schema` | the numbered migrations |
| `claims` | which process answers an event; the first Stop entry's decision, for the second |
| `sessions` | sessions, what their stops have read, gates that are notes in a project |
| `prompts` | human prompts, and the key points injected with them |
| `jobs` | the queue of what is to be learned |
| `record` | votes and changes on record; the changes of a playbook that were begun |
| `inbox`, `cache`, `usage` | what waits for review; derived values, settings, trust; tokens and cost |
| `processes` | whether a process lives; those that outlive the hook that starts them |
"""
