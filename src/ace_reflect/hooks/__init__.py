"""
The edge to Claude Code: payload in, response out, one module for each event.

`edge` first: what every hook shares. Events: `user_prompt_submit`, `stop`, `assess` (Stop's second entry), `pre_compact`,
`session_start`, `session_end`. What they reach: `inject` and `prompt_text`; `stop_judge` (a stop with news) with
`stop_facts` (what it is judged on), `last_answer`, `artifacts` and `verdict_file`, `routes`; `assess_stop`, `still_there`;
`compaction_note`.
"""
