"""The edge to people: one file for each command. click, rich and jinja2 live only here."""
