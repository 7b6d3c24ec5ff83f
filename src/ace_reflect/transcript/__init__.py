"""
What an agent wrote: a file (`reader`; `files` finds them), its lines and whose words they are (`messages`), and what comes
out (`records`).
"""
