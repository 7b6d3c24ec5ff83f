"""
settings.json, the plugin, and doctor.

`registration` (our entries in a settings file), `settings_file` (how it is read and written), `second_entry` (is the
assessment's hook wanted?), `agents`, `answers` (into reflection.yaml), `host` (what stands on this machine); `doctor` looks at
all of it (`findings`: what it gives), `hook_checks` at what is registered, `last_runs` at the log, and `proof` with
`rehearsal` plays sessions through the hooks.
"""
