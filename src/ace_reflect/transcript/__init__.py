"""What an agent wrote: a file (`reader`, `files`), its lines and whose words they are (`messages`), and its `records`.
Codex CLI's: `codex` (its lines), `codex_patches` (what they change), `codex_files` (where they are).
"""
