"""
What Claude Code wrote: bytes -> lines -> records. Incremental and tolerant.

`records` (what comes out) first, then the way in: `reader` (a file, from where the last reading stopped; `cursor`), `parse`
(one line), `prefilter`, `quick`, `one_block`, `repeated` and `envelopes` (lines that need no JSON), `jsonlines` and
`lines` (the whole line), then by kind of line: `user`, `people` (whose words), `tools` with `tool_names`, `results`,
`answers`, `queued`, `notices`, `hooked` (hooks' outputs). `memory` is what one line's meaning takes from those before it. `files` says where transcripts lie,
`fields` reads untrusted JSON.
"""
