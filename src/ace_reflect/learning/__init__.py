"""How it is learned: segment -> reflector -> tags -> curator -> dedup -> prune -> save."""
