"""Is it done?  task + ledger -> findings -> verdict -> the one message. Pure."""
