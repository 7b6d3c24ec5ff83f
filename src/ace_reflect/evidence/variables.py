"""
What is left of a path whose variables the line does not settle: a loop's values where it lists them, else what stands before.

`for p in api web; do npm test -w packages/$p || exit 1; done` tests two packages, not one that is called `$p`.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    Loops = tuple[tuple[str, tuple[str, ...]], ...]


def each_value(text: str, loops: "Loops") -> tuple[str, ...]:
    """The text for each value of the loop's variable in it; nothing where the values are not known."""
    if "$" not in text:
        return (text,)
    for name, values in loops:
        for form in (f"${{{name}}}", f"${name}"):
            if form in text:
                return tuple(text.replace(form, value) for value in values)
    return (text,)


def open_at(text: str) -> int:
    """Where a variable, another command's output or xargs' `{}` begins in it; -1 if it is what the command gets."""
    found = [at for mark in ("`", "{}") if (at := text.find(mark)) >= 0]
    at = text.find("$")
    while at >= 0:
        following = text[at + 1 : at + 2]
        if following.isalnum() or following in ("_", "{", "(", "@", "*"):
            found.append(at)
            break
        at = text.find("$", at + 1)
    return min(found, default=-1)


def known_targets(paths: tuple[str, ...], loops: "Loops") -> tuple[str, ...]:
    """The paths a run was limited to: for every value of a loop, and of those with an unknown part what stands before it."""
    found = [value for path in paths for value in each_value(path, loops) or (path,)]
    return tuple(dict.fromkeys(_settled(path) for path in found))


def _settled(path: str) -> str:
    """`packages` of `packages/$p/tests` and of `packages/*/tests`; as it is where its first part is unknown."""
    if "$" not in path and "*" not in path and "{" not in path and "`" not in path:
        return path
    parts = path.split("/")
    for place, part in enumerate(parts):
        many = part != "**" and place < len(parts) - 1 and ("*" in part or "{" in part)
        if many or open_at(part) >= 0:
            return "/".join(parts[:place]) if place else path
    return path


def known_selection(text: str, loops: "Loops") -> str:
    """A selection for every value of a loop; of a word that stays unknown only the option and the variable."""
    texts = each_value(text, loops) or (text,)
    return " ".join(" ".join(map(_without_beginning, one.split(" "))) for one in texts)


def _without_beginning(word: str) -> str:
    """`--filter=$p` of `--filter=@acme/$p`: `@acme/` names no package. What xargs fills in is called `$_`."""
    at = open_at(word)
    if at < 0 or "::" in word:
        return word
    option, equals, _ = word[:at].partition("=")
    return (f"{option}=" if equals and option.startswith("-") else "") + word[at:].replace("{}", "$_")
