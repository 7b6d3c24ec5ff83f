"""The edge to Claude Code: payload in, response out, one module for each event.

`edge` first: what every hook shares. Events: `user_prompt_submit`, `stop`, `assess` (Stop's second entry), `subagent_stop`,
`pre_compact`, `session_start`, `session_end`. Behind them: `judge` (a stop with news) with `artifacts`, `assess_stop`,
`compaction_note`.
"""
