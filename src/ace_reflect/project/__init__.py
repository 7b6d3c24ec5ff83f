"""What a project says of itself (`facts`): `read` takes it from a checkout's files and `git` from its `.git`."""
