"""Whom we ask: one port, its providers, model choice, JSON from prose, cost.

`port` (request with its prompt, reply, errors, keys) first, then `registry` (from `provider/model` to a provider) and
`chain` (`models:` in order). Providers: `anthropic`, `claude_code`, `openai_compatible`; what they share: `calls`
(attempts, errors, prices). Beside them: `batches` (many requests at once), `event_loop` (to call all of it from), `json_reply` (an object out of prose).
"""
