"""
The edge to people: one file for each command. click, rich and jinja2 live only here.

`main` knows the commands; a command's pages stand in the `…_page` beside it, and `terminal`, `times` and `named` are for all.
"""
