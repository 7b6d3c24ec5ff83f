"""The edge to Claude Code: payload in, response out, one module for each event."""
