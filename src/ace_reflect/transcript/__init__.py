"""What an agent wrote: a file (`reader`, `files`), its lines and whose words they are (`messages`), and its `records`."""
