"""
One physical line -> JSON objects. Damaged lines give what can be saved of them, and nothing raises.

Real damage seen in the field: two objects on one line, the first of them whole or cut short (versions 2.0.76 to 2.1.17).
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_read = json.JSONDecoder().raw_decode  # the value that begins at a place of a text, and where it ends
_LONG = 8_192  # bytes of ASCII: above this to look at the strings is quicker than to search the line
_MOST_OBJECTS = 16  # glued on one line; also keeps a hostile line from costing quadratic time

#: How an object of a transcript begins, for finding the next one behind a broken one.
_STARTS = ('{"parentUuid":', '{"type":"', '{"type": "', '{"uuid":', '{"sessionId":')


def objects(raw: bytes) -> "tuple[list[dict[str, Any]], bool]":
    """
    The JSON objects of a line, and whether the line was sound.

    Blank lines and bare values give no object; a bare value is sound JSON and yet no transcript line, so it counts as bad.
    """
    text = raw.decode("utf-8", "replace")
    try:
        found, end = _read(text, 0)
        if end == len(text) - 1 and text[-1] == "\n" and type(found) is dict:
            return [_sound(found, raw, text)], True
    except (ValueError, RecursionError):
        pass
    return _odd(text.strip("\x00 \t\r\n"))


def _sound(value: "Any", raw: bytes, text: str) -> "Any":
    """What was read of `raw`, decoded to `text`, without lone surrogates: only an escape (`\\ud83d`) can hold one."""
    return _mended(value) if (len(raw) > _LONG and text.isascii()) or "\\ud" in text or "\\uD" in text else value


def _odd(text: str) -> "tuple[list[dict[str, Any]], bool]":
    """Anything but one object and a newline."""
    if not text:
        return [], True
    try:
        found = json.loads(text)
        return ([_mended(found)], True) if type(found) is dict else ([], False)
    except (ValueError, RecursionError):
        return _salvage(text), False


def _mended(value: "Any") -> "Any":
    """The value with lone surrogates replaced: nobody could write them as UTF-8 again."""
    if type(value) is str:
        if value.isascii() or _encodable(value):
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if type(value) is list:
        return [_mended(item) for item in value]
    if type(value) is dict:
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _salvage(text: str) -> "list[dict[str, Any]]":
    saved: list[dict[str, Any]] = []
    position = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if position < 0:
            break
        try:
            found, position = _read(text, position)
        except (ValueError, RecursionError):
            position = _next_start(text, position + 1)
            continue
        if type(found) is dict and _is_line(found):
            saved.append(_mended(found))
        position = _next_start(text, position)
    return saved


def _is_line(found: "dict[str, Any]") -> bool:
    """A piece of a broken object can be an object too (a content block, a nested message): lines carry the session."""
    return "sessionId" in found or found.get("type") == "summary"


def _next_start(text: str, position: int) -> int:
    places = [place for place in (text.find(start, position) for start in _STARTS) if place >= 0]
    return min(places, default=-1)


def opening_of_string(piece: bytes) -> str:
    """The text of the beginning of a JSON string whose end was cut off anywhere, or that goes on past its closing quote."""
    text = piece.decode("utf-8", "ignore")
    for cut in range(7):  # an escape has at most six characters
        try:
            return str(_mended(_read(f'"{text[: len(text) - cut]}"', 0)[0]))
        except ValueError:
            continue
    return ""


def object_at(raw: bytes, start: int, stop: int) -> "dict[str, Any]":
    """The JSON object in these bytes; an empty one if there is none."""
    found = value_at(raw[start:stop])
    return found if type(found) is dict else {}


def value_at(piece: bytes) -> "Any":
    """The JSON value that a piece begins with, whatever comes behind; None if there is none."""
    text = piece.decode("utf-8", "replace")
    try:
        found, _ = _read(text, 0)
    except (ValueError, RecursionError):
        return None
    return _sound(found, piece, text)


def text_at(raw: bytes, start: int, stop: int) -> str:
    """The inside of a JSON string whose closing quote stands before `stop`; what can be read of it if it is unsound."""
    piece = raw[start:stop]
    if piece.find(b"\\") < 0:
        return piece[: piece.find(b'"')].decode("utf-8", "replace")
    found = value_at(b'"' + piece)
    return found if type(found) is str else opening_of_string(piece)
