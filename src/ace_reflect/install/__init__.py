"""
settings.json, the plugin, and doctor.

`registration` (our entries in a settings file), `settings_file` (how it is read and written), `agents`, `answers` (into
reflection.yaml), `host` (what stands on this machine); `doctor` looks at all of it, with `hook_checks` (what is
registered) and `proof` (sessions played through the hooks).
"""
