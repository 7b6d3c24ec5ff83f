"""What is remembered between hooks: `state.db`.

`db`: the tables, `open_state`, `State`'s verbs. `cache`: derived values by what they were made from, what the person trusts,
who answers an event. `sessions`, with their prompts and what they were given. `jobs`: the queue. `record`: votes, changes,
what waits for review, what models cost. `processes`: whether one lives, and those that outlive their hook.
"""
