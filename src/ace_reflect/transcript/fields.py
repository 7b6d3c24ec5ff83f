"""Reading fields of untrusted JSON: whatever type stands there, the caller gets the type it asked for."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Strings of tool inputs and results above this many characters are cut in the middle: evidence stands at both ends.
TEXT_CAP = 100_000
_DEEPEST = 12
_LONGEST_LIST = 200
_NEAR = 200


def string(data: "dict[str, Any]", key: str) -> str:
    value = data.get(key)
    return value if type(value) is str else ""


def optional(data: "dict[str, Any]", key: str) -> str | None:
    value = data.get(key)
    return value if type(value) is str and value else None


def mapping(data: "dict[str, Any]", key: str) -> "dict[str, Any]":
    value = data.get(key)
    return value if type(value) is dict else {}


def blocks(content: object) -> "list[dict[str, Any]]":
    """A message's content as a list of blocks, whichever of its shapes it has (string, list, list with bare strings)."""
    if type(content) is str:
        return [{"type": "text", "text": content}]
    if type(content) is not list:
        return []
    return [_block(item) for item in content if type(item) in (dict, str)]


def _block(item: "Any") -> "dict[str, Any]":
    return item if type(item) is dict else {"type": "text", "text": item}


def plain_text(content: object) -> str:
    """The text of a content: its text blocks, a line for each picture or other block."""
    if type(content) is str:
        return content
    return "\n".join(_block_text(block) for block in blocks(content))


def _block_text(block: "dict[str, Any]") -> str:
    kind = string(block, "type")
    if kind in {"text", ""}:
        return string(block, "text")
    if kind == "tool_reference":
        return f"[tool {string(block, 'tool_name')}]"
    return f"[{kind}]"


def cut_middle(text: str, most: int) -> str:
    """
    At most about `most` characters of `text`: its beginning and its end, with what was left out said between them.

    Cut at a line's end or a space where one is near, so that no word (or key) is cut in two, nor from its name.
    """
    if len(text) <= most:
        return text
    head = last_space(text, most // 2)
    tail = next_space(text, len(text) - (most - most // 2))
    return f"{text[:head]}\n[… {tail - head} characters cut …]\n{text[tail:]}"


def last_space(text: str, place: int) -> int:
    """
    Where to cut off what stands behind `place`: the last line's end before it, or the last space or slash, where one is near.

    Half a secret would not be known for one, so no cut is made within a word.
    """
    near = max(place - _NEAR, 0)
    found = max(text.rfind("\n", near, place), 0) or max(text.rfind(" ", near, place), text.rfind("/", near, place))
    return found if found > 0 else place


def next_space(text: str, place: int) -> int:
    """Where to go on after what was cut off before `place`: the next line, or word, where one is near."""
    for space in ("\n", " ", "/"):
        found = text.find(space, place, place + _NEAR)
        if found >= 0:
            return found + 1
    return place


def capped(value: "Any", most: int = TEXT_CAP, longest: int | None = None, depth: int = 0) -> "Any":
    """The value with strings cut in the middle, lists after `longest`, and nesting below twelve levels left out."""
    kind = type(value)
    if kind is str:
        return value if len(value) <= most else cut_middle(value, most)
    if kind is dict:
        return {key: capped(item, most, longest, depth + 1) for key, item in value.items()} if depth < _DEEPEST else {}
    if kind is list:
        return [capped(item, most, longest, depth + 1) for item in value[:longest]] if depth < _DEEPEST else []
    return value


def slim(value: "Any") -> "Any":
    """As `capped`, for what is kept only as a detail: short strings, short lists."""
    return capped(value, 500, _LONGEST_LIST)


def between(text: str, opening: str, closing: str) -> str | None:
    """What stands between two marks; None without the first. A missing second mark means "to the end"."""
    start = text.find(opening)
    if start < 0:
        return None
    start += len(opening)
    end = text.find(closing, start)
    return text[start:] if end < 0 else text[start:end]


def tag(text: str, name: str) -> str:
    """The trimmed content of `<name>…</name>`, empty when it is not there."""
    return (between(text, f"<{name}>", f"</{name}>") or "").strip()
