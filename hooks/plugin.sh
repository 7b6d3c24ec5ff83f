#!/bin/sh
# What the plugin's hooks.json starts: the hook named by $1 in the plugin's own environment. While there is none,
# nothing is checked, and a session's start says so and makes one in the background (${CLAUDE_PLUGIN_DATA}/environment -> environment-<n>).
# hooks.json looks whether this file is whole: `sh` and `python SCRIPT` end with 2 where what they are to run is not there
# or cut off, and by that the host drops every prompt.
data=${CLAUDE_PLUGIN_DATA:-}
root=${CLAUDE_PLUGIN_ROOT:-}
[ -n "$data" ] && [ -n "$root" ] && [ -z "${ACE_REFLECT_CHILD:-}" ] || exit 0

if [ "$1" = session_start ]; then
    made_for=$(cat "$data/environment/made-for" 2>/dev/null)
    if [ "$made_for" != "$root $(cksum <"$root/pyproject.toml")" ]; then
        # A child with streams of its own outlives this hook; the lock keeps two sessions from making two. macOS has no
        # setsid: there it is deaf to the end of its terminal.
        detached=$(command -v setsid || :)
        (trap '' HUP; ${detached:+setsid} sh "$root/hooks/plugin_environment.sh" </dev/null >/dev/null 2>&1 &)
    fi
    [ -x "$data/environment/bin/python" ] ||
        echo '{"systemMessage": "ace-reflect: setting itself up in the background, which takes a minute; checks and key points begin after that"}'
fi

[ -x "$data/environment/bin/python" ] || exit 0
start='import sys; __file__ = sys.argv[1]; exec(open(__file__).read())'
exec "$data/environment/bin/python" -I -c "$start" "$root/hooks/$1.py"
