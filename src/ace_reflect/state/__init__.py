"""
What is remembered between hooks: `state.db`.

    with open_state(paths.home(environ)) as state:          # db.py
        if claims.claim(state, event, payload, transcript): # an event registered twice is answered once
            row = prompts.current(state, session_id)        # PromptRow: text, attempts, verdict …

| module | verbs |
| --- | --- |
| `db` | `open_state`, `State.one/all/run/insert/transaction`, `set_aside` |
| `claims` | `claim`, `blocked`, `stop_key`, `process_start` |
| `sessions` | `touch`, `get`, `skip`, `history`, `save_history`, `load_ledger`, `save_ledger`, `maybe_dead` |
| `packed` | `packed`, `unpacked`: what a stop keeps, as bytes; `rest` compresses what lies still |
| `prompts` | `note`, `current`, `update` |
| `stops` | `put`, `get`: the first Stop entry's decision, for the second |
| `injections` | `known`, `add`, `forget` |
| `jobs` | `enqueue`, `take`, `finish`, `fail`, `retry`, `drop`, `listed` |
| `record` | `Rows`, `Vote`, `Change`, `Waiting`; `write`, `learned_turns`, `votes_of`, `count_votes`, `last_votes`, `changes_of`, `undo_intent`, `numbers`, `protected` |
| `intents` | `begin`, `complete`, `abandon`, `pending` |
| `inbox`, `cache`, `usage`, `trust` | as they say |
| `schema`, `prune` | the numbered migrations; what is forgotten in time |
| `processes` | whether a process lives |
| `spawn`, `alone` | a process that a hook starts and nobody waits for: how it is started, and what it does first and last |
"""
