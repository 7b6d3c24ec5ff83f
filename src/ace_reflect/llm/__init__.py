"""
Whom we ask: one port, its providers, model choice, JSON from prose, cost.

`port` (request, reply, errors) first, then `registry` (from `provider/model` to someone to ask) and `chain` (`models:` in
their order). Providers: `anthropic`, `claude_code`, `openai_compatible` with `endpoints`; what they share: `sdk`, `retry`,
`keys`, `processes`. Beside them: `event_loop` (to call all of it from), `fast` (models for short questions), `cost`, `reach` (is it there?), `template` (prompts),
`json_reply` (an object out of prose), `loose_json` (one that is nearly JSON).
"""
