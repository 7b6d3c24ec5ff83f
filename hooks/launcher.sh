#!/bin/sh
# Written by `ace-reflect install`; every hook in Claude Code's settings comes through here. Where the program is gone, or
# only half of it is there, it ends with 0, so that no session shows an error. 2 is how the assessment wakes a session.
hooks=@HOOKS@
python=@PYTHON@
script=$hooks/$1.py
[ -r "$script" ] || exit 0 # python would end with 2 here
shift
"$python" -I "$script" "$@"
[ $? -ne 2 ] || exit 2
exit 0
