"""
What really happened: records -> ledger of facts, each with the line that proves it. Pure.

In reading order. Most readers need the first block only.

| question | file |
| --- | --- |
| what is a fact, and what holds them? | `facts` |
| how do records become the ledger? | `ledger` (the way in: `LedgerBuilder`), `read` (a whole file with its subagents'), `book` (the ledger while it is written) |
| how does a call find its result? | `calls`, `drafts` (a call that was begun), `background` (what runs on after its call returned) |
| what becomes of one shell call? | `shell_facts`, and its parts `shell_runs` (tests, builds, checks; `own_scripts`: scripts), `shell_edits` (files; `searched_files`: of which kind), `git_facts`, `worktrees`, `forge_facts` |
| what did other tools do? | `tool_runs` (tests run by an MCP server), `tool_edits`; `weakened` (was a test loosened?) with `whole_checks`, `trivial_edits` (does it change anything that runs?), `inline_scripts` (files that a small script writes) |
| what else is noted? | `todos`, `loops`, `hints` (default branch, manifests), `kinds` (what kind of file a path names), `languages` (which language a file is in, and which ones a runner can prove) |

What a command line runs (text -> simple commands):

| question | file |
| --- | --- |
| which commands run, where, and is the line's status theirs? | `shell` (the way in: `split`) |
| how is the line parsed? | `shell_parse` (grammar), `shell_compounds` (if, for, case …), `shell_lines` (blanks, here-documents), `shell_words` (quotes, expansions), `shell_tree` (the result) |
| what does the tree run? | `shell_walk`, with `shell_state` (folder, variables, functions), `shell_context` (where in the line), `shell_status` (whose status) |

What a command is for (simple command -> kind, runner, targets):

| question | file |
| --- | --- |
| what is it: test, build, push, look …? | `commands` (the way in: `classify`), `meaning` (what a reader says of a call) |
| what is behind `env`, `timeout`, `uv run`, `docker exec`? | `wrappers`, `wrapper_table` (options), `wrapper_readers` (what needs reading), `unwrapped` (the result) |
| who reads which program? | `programs` (the one place that knows; `_HOMES`) |
| … a test runner | `runner_table` (each call runs tests), `flag_table` and `runner_flags` (what its options mean), `runner_calls` (arguments read one by one), `runner_tools` (one subcommand runs tests) |
| … a program without arguments to read | `program_table` (linters, formatters, builders, servers, looks: no test runners) |
| … a language's, a forge's or git's tool | `toolchains`, `toolchains_jvm`, `toolchains_web`, `told_runners`, `interpreters`, `git_commands`, `forge_commands` |
| … a task with a name | `make_tasks` (make, ninja), `task_runners` (just, rake, …), `node_tasks` (npm, turbo, …), `task_names` (what the name says) |
| words of a call | `call_words`, `call_parts`, `variables` (what a loop or an unknown variable leaves of a path) |

What a command came to (command and output -> passed, failed, unknown):

| question | file |
| --- | --- |
| how do status and text together decide? | `outcomes` (the way in), `outcome_line` (one command among several), `outcome_silence` (does silence prove?), `outcome_checks` (files listed, none checked, complaints), `outcome_end` (how the line ended), `log_files` (its output went into a file that is shown later) |
| what did the runner or checker print? | `runners/`, one file a family; `runners/table.py` says which reads what |
| what did git and the forge print? | `pushes`, `pull_requests`, `ci` |
"""
