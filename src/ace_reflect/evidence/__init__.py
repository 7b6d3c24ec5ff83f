"""What really happened: `facts`, the ledger. A shell line is taken apart (`shell`), each command named (`commands`, by the tables
of `programs`), its outcome read (`outcomes`, by the table of `runners`); `edits` and `files` tell what was written, `forge` what
was pushed. `ledger` keeps the conversation, `work` what was done in it.
"""
