"""
What an agent wrote: a file (`reader`; `files` finds them), its lines (`messages`), whose words they are (`prompts`), and
what comes out (`records`).
"""
