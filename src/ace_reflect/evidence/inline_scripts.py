"""
Which files a small script writes: `python - <<EOF … open("a.py", "w") …`, `node -e "fs.writeFileSync('b.js', …)"`.

Best effort, by literal: a path that stands in a string, or in a variable that was given a string. A write whose path
cannot be read off is a write to unknown files.
"""

from ace_reflect.evidence.meaning import UNKNOWN_FILES
from ace_reflect.late import DOTALL, Late

_MAX_SCRIPT = 100_000
_STRING = r"[rRbBuU]?(?:'([^'\n\\]{1,300})'|\"([^\"\n\\]{1,300})\"|`([^`$\n\\]{1,300})`)"
_NAME = r"([A-Za-z_][\w.]{0,80})"
_PATH = rf"(?:(?:pathlib\.)?Path\(\s*)?(?:{_STRING}|{_NAME})"
#: What hints at a write at all: most scripts hold none of these words.
_HINTS = (
    "open(",
    "write",
    "rename",
    "replace(",
    "unlink",
    "copy",
    "move",
    "remove(",
    "File.",
    "file_put_contents",
    "save",
    "dump(",
    "rmtree",
    "cpSync",
    "rm(",
)
_OPEN = Late(
    rf"\bopen\(\s*{_PATH}\s*+\)?\s*+,\s*(?:mode\s*=\s*)?['\"](?:[wax]|r\+|[rb]+\+)", DOTALL, needs=("open(",)
).finditer
_METHOD = Late(
    rf"(?:\bPath\(\s*{_STRING}\s*\)|{_NAME})\.(?:write_text|write_bytes|unlink|touch)\(",
    needs=(".touch(|.unlink(|.write_bytes(|.write_text(",),
).finditer
_PATH_OPEN = Late(
    rf"(?:\bPath\(\s*{_STRING}\s*\)|{_NAME})\.open\(\s*(?:mode\s*=\s*)?['\"][wax]", needs=(".open(",)
).finditer
_CALL = Late(
    rf"\b(?:writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|writeTextFileSync|writeTextFile|Bun\.write|unlinkSync|rmSync"
    rf"|File\.write|IO\.write|File\.delete|file_put_contents|os\.remove|os\.unlink|fs\.unlink|shutil\.rmtree)\(\s*{_PATH}",
    needs=(
        "Bun.write|File.delete|File.write|IO.write|appendFile|createWriteStream|file_put_contents|fs.unlink|os.remove|os.unlink|rmSync|shutil.rmtree|unlinkSync|writeFile|writeTextFile",
    ),
).finditer
_TWO = Late(
    rf"\b(?:shutil\.(?:copy2?|copyfile|move)|os\.(?:rename|replace)|renameSync|copyFileSync|FileUtils\.(?:cp|mv))\(\s*{_PATH}\s*+\)?\s*+,\s*{_PATH}",
    needs=("FileUtils.cp|FileUtils.mv|copyFileSync|os.rename|os.replace|renameSync|shutil.copy|shutil.move",),
).finditer
_RUBY_OPEN = Late(rf"\bFile\.open\(\s*{_STRING}\s*,\s*['\"][wa]", needs=("File.open(",)).finditer
_ASSIGNED = Late(
    rf"(?:^|[;\n(])[ \t]*(?:const |let |var |\$)?([A-Za-z_]\w{{0,80}})\s*=\s*(?:(?:pathlib\.)?Path\(\s*)?{_STRING}"
).finditer
#: `for p in Path("src").rglob("*.py"):`, `for (const f of globSync('src/**/*.ts'))`: files of one kind, by the loop's variable.
_SEARCHED = Late(
    rf"\bfor ?\(? ?(?:const |let |var )?([A-Za-z_]\w{{0,80}}) (?:in|of) [^\n'\"]{{0,80}}?(?:\bPath\((?:{_STRING})?\)\.)?(?:rglob|glob|iglob|globSync|sync)\(['\"]([\w./-]{{0,200}})(?:\*\*?/){{0,8}}\*\.(\w{{1,8}})['\"]",
    needs=("glob|sync", "for", "*."),
).finditer


def files_written(script: str) -> tuple[str, ...]:
    """The paths in the order of the script; "*" for one that it computes."""
    script = script[:_MAX_SCRIPT]
    if not any(hint in script for hint in _HINTS):
        return ()
    known = {
        match[1]: f"{match[2] or match[3] or match[4] or ''}/{match[5]}*.{match[6]}" for match in _SEARCHED(script)
    }
    known = {name: path.removeprefix("/").removeprefix("./") for name, path in known.items()}
    known |= {match[1]: match[2] or match[3] or match[4] for match in _ASSIGNED(script)}
    found: dict[str, None] = {}
    for pattern in (_OPEN, _METHOD, _PATH_OPEN, _CALL, _RUBY_OPEN):
        for match in pattern(script):
            found.setdefault(_path(match.groups(), known))
    for match in _TWO(script):
        groups = match.groups()
        found.setdefault(_path(groups[:4], known))
        found.setdefault(_path(groups[4:], known))
    return tuple(found)


def _path(groups: tuple[str | None, ...], known: dict[str, str]) -> str:
    literal = next((group for group in groups[:3] if group), None)
    if literal is not None:
        return literal
    name = groups[3] if len(groups) > 3 else None
    return known.get((name or "").removeprefix("self."), UNKNOWN_FILES)
