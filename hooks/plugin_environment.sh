#!/bin/sh
# Make the plugin's environment, once, in the background: build beside, then switch a link. Started by plugin.sh.
data=$CLAUDE_PLUGIN_DATA
root=$CLAUDE_PLUGIN_ROOT
lock=$data/making

mkdir -p "$data" || exit 1
# A lock older than half an hour belongs to a build that died.
find "$data" -maxdepth 1 -name making -mmin +30 -exec rmdir {} \; 2>/dev/null
mkdir "$lock" 2>/dev/null || exit 0
trap 'rmdir "$lock"' EXIT

new=environment-$$
if bash "$root/install.sh" environment "$data/$new" >"$data/setup.log" 2>&1; then
    printf '%s' "$root $(cksum <"$root/pyproject.toml")" >"$data/$new/made-for"
    old=$(readlink "$data/environment" 2>/dev/null)
    ln -sfn "$new" "$data/environment.link"
    # rename(2) replaces a link in one step; mv would move into the folder that the link points to.
    "$data/$new/bin/python" -c 'import os, sys; os.replace(sys.argv[1], sys.argv[2])' "$data/environment.link" "$data/environment"
    [ -z "$old" ] || [ "$old" = "$new" ] || rm -rf "${data:?}/$old"
else
    rm -rf "${data:?}/$new"
fi
