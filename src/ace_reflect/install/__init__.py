"""settings.json, the plugin, and doctor.

`registration` (our entries in a settings file), `codex` (Codex CLI's), `settings_file` (how it is read, judged as the host does, and written),
`agents`, `answers` (into reflection.yaml), `host` (what is on this machine), `traces` (what an uninstall leaves); `doctor`
checks all of it, and plays sessions through the registered hook.
"""
