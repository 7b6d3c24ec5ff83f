"""Todo lists of both generations: TodoWrite replaces the list, TaskCreate and TaskUpdate add to it and change it."""

from ace_reflect.evidence.facts import Todo
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    TodoStatus = Literal["pending", "in_progress", "completed", "deleted", "left-out"]

MAX_TEXT = 300
MAX_TODOS = 200
_STATUS: "dict[str, TodoStatus]" = {
    "pending": "pending",
    "in_progress": "in_progress",
    "in-progress": "in_progress",
    "completed": "completed",
    "complete": "completed",
    "done": "completed",
    "cancelled": "deleted",
    "deleted": "deleted",
}
_CREATED = Late(r"Task\s+#?(?P<id>[\w-]+)\s+created", needs=("Task", "created"))


def slim_input(name: str, data: "dict[str, Any]") -> "dict[str, Any]":
    """What of a call's input has to be kept until its result is there."""
    if name == "TodoWrite":
        items = data.get("todos")
        rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        return {"todos": [[_text(row.get("content")), _text(row.get("status"))] for row in rows[:MAX_TODOS]]}
    kept = {key: _text(data.get(key)) for key in ("taskId", "task_id", "id", "status", "subject", "title", "content")}
    return {key: value for key, value in kept.items() if value}


def apply(
    todos: tuple[Todo, ...], name: str, data: "dict[str, Any]", result: str, line: int, turn: int
) -> tuple[Todo, ...]:
    """The list after one successful call."""
    if name == "TodoWrite":
        return _replaced(todos, data.get("todos") or [], line, turn)
    if name == "TaskCreate":
        created = _CREATED.search(result)
        task_id = created["id"] if created else str(len(todos) + 1)
        text = data.get("subject") or data.get("title") or data.get("content") or ""
        return (
            *(todo for todo in todos if todo.id != task_id),
            Todo(id=task_id, text=text, status="pending", line=line, turn=turn),
        )[-MAX_TODOS:]
    return _updated(todos, data, line, turn)


def _replaced(old: tuple[Todo, ...], rows: "list[list[str]]", line: int, turn: int) -> tuple[Todo, ...]:
    """An item that stands there unchanged keeps the turn that wrote it."""
    known = {(todo.text, todo.status): todo for todo in old}
    fresh = []
    for number, (text, status) in enumerate(rows, start=1):
        state = _STATUS.get(status, "pending")
        before = known.get((text, state))
        fresh.append(
            Todo(
                id=str(number),
                text=text,
                status=state,
                line=before.line if before else line,
                turn=before.turn if before else turn,
            )
        )
    return (*fresh, *_left_out(old, fresh, line, turn))


def _left_out(old: tuple[Todo, ...], fresh: list[Todo], line: int, turn: int) -> "Iterator[Todo]":
    """
    Items of this prompt that were never begun and are missing from the new list, though that list says that all is done.

    Nothing is left out where the new list has open items, or items that the old one had not: then the work was planned
    anew, and what was dropped is done in another way or no longer wanted.
    """
    texts = {todo.text for todo in fresh}
    if not fresh or not texts <= {todo.text for todo in old}:
        return
    closed = not any(todo.open for todo in fresh)
    for todo in old:
        dropped = todo.status == "left-out" or (closed and todo.status == "pending")
        if dropped and todo.turn == turn and todo.text not in texts:
            yield todo.replace(id="", status="left-out", line=line)


def _updated(todos: tuple[Todo, ...], data: "dict[str, Any]", line: int, turn: int) -> tuple[Todo, ...]:
    task_id = (data.get("taskId") or data.get("task_id") or data.get("id") or "").lstrip("#")
    status = _STATUS.get(data.get("status") or "")
    text = data.get("subject") or data.get("title") or ""
    if not task_id or not (status or text):
        return todos
    if not any(todo.id == task_id for todo in todos):  # made before the transcript begins, or by a subagent
        return (*todos, Todo(id=task_id, text=text, status=status or "pending", line=line, turn=turn))
    return tuple(
        todo.replace(status=status or todo.status, text=text or todo.text, line=line, turn=turn)
        if todo.id == task_id
        else todo
        for todo in todos
    )


def _text(value: "Any") -> str:
    if isinstance(value, int):
        return str(value)
    return " ".join(value.split())[:MAX_TEXT] if isinstance(value, str) else ""
