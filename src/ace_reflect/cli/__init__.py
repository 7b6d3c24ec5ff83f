"""The edge to people: one file for each command, or for the commands of one kind. click and rich live only here.

`main` knows the commands, the errors and the exit codes. A command is made of `options`, gets its data from a room, and
returns a `Report` of `output`, which prints it as JSON or as a page. `books` says which playbook is meant, and changes it.
"""
