"""What a project says about itself (`facts`): `read` takes it from a checkout's files and `git` from its `.git`."""
