"""
Whom we ask: one port, its providers, model choice, JSON from prose, cost.

`port` (request, reply, errors, keys) first, then `registry` (from `provider/model` to someone to ask; is it there?) and
`chain` (`models:` in their order). Providers: `anthropic`, `claude_code`, `openai_compatible`; what they share: `calls`
(attempts, errors, prices). Beside them: `event_loop` (to call all of it from), `template` (prompts), `json_reply` (an
object out of prose).
"""
