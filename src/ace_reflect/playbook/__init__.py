"""What was learned: read, render, select, cite, tag, change, merge, undo."""
