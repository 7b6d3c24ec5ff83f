"""settings.json, the plugin, and doctor.

`registration` (our entries in a settings file), `settings_file` (how it is read and written), `settings_schema` (what the
host accepts), `agents`, `answers` (into reflection.yaml), `host` (what is on this machine), `traces` (what an uninstall
leaves); `doctor` checks all of it, with `hook_checks` (what is registered) and `proof` (sessions played through hooks).
"""
