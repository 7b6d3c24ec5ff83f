"""
Which of the host's tools are of one kind. The host adds tools and renames them ("Task" became "Agent"): here they are told.

What one module alone asks of one tool stands there.
"""

SHELLS = frozenset({"Bash", "PowerShell"})
EDITS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})
SUBAGENTS = frozenset({"Task", "Agent"})
#: Of what these bring in, a reader that is not asked for the whole keeps the beginning.
READING = frozenset({"Read", "NotebookRead", "Grep", "WebFetch", "WebSearch", "ToolSearch"})
#: All that only look.
LOOKING = READING | {"Glob", "LS"}
#: Show what a task in the background has printed.
OUTPUTS = frozenset({"BashOutput", "TaskOutput"})
TODO_CHANGES = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate"})
TODOS = TODO_CHANGES | {"TaskList", "TaskGet"}
