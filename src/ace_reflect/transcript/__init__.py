"""What Claude Code wrote: bytes -> lines -> records. Incremental and tolerant."""
