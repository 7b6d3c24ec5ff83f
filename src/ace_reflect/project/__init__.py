"""What the repository says: manifests, test and build commands, git facts, instruction files."""
