"""All sessions on this machine: each transcript is read and judged once, and kept as a small summary in `<home>/report.db`.

A summary stays when Claude Code deletes its transcript, which it does after 30 days. What is in it is redacted.
"""

import json
import multiprocessing
import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from functools import cache, partial
from itertools import groupby
from typing import Any, NamedTuple

from ace_reflect import __version__, config, paths
from ace_reflect.errors import AceReflectError, StateError, TranscriptError
from ace_reflect.evidence.facts import CommandKind, Ledger, Outcome
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.model import EndState, Finding, State
from ace_reflect.playbook.model import count_of
from ace_reflect.project.facts import Project
from ace_reflect.redact import redact, secret_values
from ace_reflect.report.replay import Stop, project_for, stops_of
from ace_reflect.report.session import timeline
from ace_reflect.settings import Settings
from ace_reflect.text import last_space, shortened
from ace_reflect.transcript import records as wire
from ace_reflect.transcript.codex_files import is_rollout, told_by_codex
from ace_reflect.transcript.files import looks_like_transcript, subagent_files

Json = dict[str, Any]
Items = tuple[tuple[str, str], ...]
Say = Callable[[str, int], str]  # a text without secrets, on one line of at most so many letters

_TABLE = "CREATE TABLE IF NOT EXISTS sessions (path TEXT PRIMARY KEY, identity TEXT, summary TEXT)"
_FORM = 2  # of a summary; another one is made anew
_MOST_MARKS = 60  # of a session's timeline
_LONGEST = 2_000  # letters of a text that are looked at
_FEW = 8  # transcripts that are read before another process has started
_OPEN = {EndState.INCOMPLETE, EndState.OPEN_FROM_EARLIER, EndState.GAVE_UP}
_ASKS = {EndState.WAITING_FOR_USER, EndState.BLOCKED_ON_HUMAN}
_BY_COMMAND = {"commit", "push", "PR", "CI"}  # whose command says more than what it was about
_OURS = "“skip gates”"  # stands in each of our messages


class History(NamedTuple):
    sessions: list[Json]  # the newest first
    unread: list[Json]  # {"transcript", "error"}
    read: int  # of the sessions, just now; the others were known


def read_history(
    files: Sequence[str],
    folder: str,
    home: str,
    environ: Mapping[str, str],
    done: Callable[[str], object] = bool,
) -> History:
    """Read what is new in `files`; all that is known of sessions in `folder`. `done` is called with each file's name."""
    errors: list[Json] = []
    read = 0
    with closing(_opened(home)) as kept:
        known = dict(kept.execute("SELECT path, identity FROM sessions"))
        new = {path: identity for path in files if known.get(path) != (identity := _identity(path))}
        for path in set(files) - new.keys():
            done(os.path.basename(path))
        for path, found in _summaries([*new], home, environ):
            done(os.path.basename(path))
            if "error" in found:
                errors.append({"transcript": path, **found})
                continue
            read += 1
            row = (path, new[path], json.dumps(found, ensure_ascii=True))
            with kept:
                kept.execute("REPLACE INTO sessions VALUES (?, ?, ?)", row)
        below = os.path.join(folder, "")
        sql = "SELECT path, summary FROM sessions WHERE substr(path, 1, ?) = ?"
        rows = kept.execute(sql, (len(below), below)).fetchall()
        others = kept.execute("SELECT path, summary FROM sessions WHERE path LIKE '%/rollout-%'")
        rows += [row for row in others if row[0] in files]
    sessions = [{**json.loads(text), "path": path} for path, text in rows]
    for session in sessions:
        ended = date.fromisoformat(session["end"][:10])
        monday = date.fromordinal(ended.toordinal() - ended.weekday())
        session |= {"month": session["end"][:7], "week": str(monday)}
    sessions.sort(key=lambda session: session["end"], reverse=True)
    return History(sessions, errors, read)


def _opened(home: str) -> sqlite3.Connection:
    """The kept summaries. Raises StateError."""
    path = os.path.join(home, "report.db")
    paths.make_folder(home)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = sqlite3.connect(path, timeout=10.0)
    try:
        connection.execute(_TABLE)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StateError(f"{path} cannot be used: {error}; move it away") from error
    return connection


def _identity(path: str) -> str:
    """What a summary was made by, and from: size and time of the session's files."""
    stats = [os.stat(each) for each in (path, *subagent_files(path)) if os.path.exists(each)]
    sizes = (f"{each.st_size}:{each.st_mtime_ns}" for each in stats)
    return f"{_FORM} {__version__} {' '.join(sizes)}"


def _summaries(
    files: Sequence[str], home: str, environ: Mapping[str, str]
) -> Iterator[tuple[str, Json]]:
    """Each file's summary as it is ready, by as many processes as there are cores."""
    one = partial(summarise, home=home, environ=dict(environ))
    if len(files) <= _FEW:
        yield from ((path, one(path)) for path in files)
        return
    # Spawned: a fork of a process that draws a progress bar in a thread may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context) as pool:
        futures = {pool.submit(one, path): path for path in files}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except (OSError, RuntimeError) as error:  # its process died
                yield futures[future], {"error": f"{type(error).__name__}: {error}"}


def summarise(path: str, home: str, environ: Mapping[str, str]) -> Json:
    """A session's summary; {"error": why} where there is none."""
    try:
        return _summary(path, home, environ)
    except Exception as error:  # noqa: BLE001 - one session of a thousand must not take the others with it
        known = isinstance(error, AceReflectError)
        return {"error": str(error) if known else f"{path}: {type(error).__name__}: {error}"}


def _summary(path: str, home: str, environ: Mapping[str, str]) -> Json:
    if not looks_like_transcript(path):
        raise TranscriptError(f"{path} is no Claude Code transcript and no Codex rollout")
    told = _told_by_host(path)
    project, settings = _place(told["project"], home, tuple(environ.items()))
    values = secret_values(environ)
    secrets = {name: value for name, value in environ.items() if value in values}
    times: dict[int, str] = {}
    feedback: dict[int, str] = {}
    builder = LedgerBuilder()

    def seen(record: wire.Record) -> None:
        at = record.timestamp or ""
        if record.in_main_thread and at[10:11] == "T" and at.endswith("Z"):
            with suppress(ValueError):  # a transcript may hold anything
                datetime.fromisoformat(at)
                times[record.line] = at
        if isinstance(record, wire.Prompt) and record.kind != "human" and _OURS in record.text:
            feedback[record.line] = record.text.removeprefix("Stop hook feedback:\n")

    def say(text: str, most: int = 160) -> str:
        cut = text[: last_space(text, _LONGEST)] if len(text) > _LONGEST else text
        return shortened(redact(cut, secrets, patterns=settings.redaction_patterns), most)

    stops = [*stops_of(path, project, settings, builder, seen)]
    ledger = builder.ledger()
    ended = [stop for stop in stops if not stop.in_mid_turn]
    rows = []
    for number, stop in enumerate(ended):
        later = ended[number + 1 :]
        until = later[0].line if later else sys.maxsize
        sent = next((feedback[line] for line in feedback if stop.line < line <= until), "")
        rows.append(_stop(stop, later, sent, times.get(stop.line, ""), say))
    asked = next((turn.prompt for turn in ledger.turns if turn.number and turn.prompt), "")
    tests = [run for run in ledger.runs if run.kind is CommandKind.TEST and run.executed]
    changed = f"{datetime.fromtimestamp(os.path.getmtime(path), UTC):%Y-%m-%dT%H:%M:%SZ}"
    return {
        **told,
        "id": ledger.session_id or os.path.basename(path).removesuffix(".jsonl"),
        "begin": min(times.values(), default=changed),
        "end": max(times.values(), default=changed),
        "prompt": say(asked, 200),
        "edits": sum(edit.is_work for edit in ledger.edits),
        "tests": Counter(run.outcome.value for run in tests),
        "commits": sum(one.outcome is Outcome.PASSED for one in ledger.commits),
        "pushes": sum(one.outcome is Outcome.PASSED for one in ledger.pushes),
        "verdict": stops[-1].judgement.verdict.end_state.value if stops else "not_applicable",
        "stops": rows,
        **_proofs(ledger),
        **_marks(ledger, rows, say),
    }


@cache
def _place(folder: str, home: str, environ: Items) -> tuple[Project, Settings]:
    """The checkout and the settings that a session in this folder is judged by, as `check` does."""
    project = project_for(None, folder)
    found = config.load(folder if project.stamps else os.devnull, home, dict(environ))
    return project, found.settings


def _told_by_host(path: str) -> Json:
    """Folder, model and tokens. The lines of one message repeat its usage: the last one counts."""
    with open(path, "rb") as file:
        if is_rollout(file.read(4096)):
            return told_by_codex(path)
    folder, models = "", Counter[str]()
    usages: dict[str, Json] = {}
    for name in (path, *subagent_files(path)):
        with open(name, "rb") as file:
            for raw in file:
                if folder and not (b'"usage"' in raw and b'"assistant"' in raw):
                    continue
                with suppress(ValueError, RecursionError, AttributeError):
                    line = json.loads(raw)
                    folder = folder or str(line.get("cwd") or "")
                    message = line.get("message") or {}
                    usage, model = message.get("usage"), message.get("model")
                    if isinstance(usage, dict) and model != "<synthetic>":
                        usages[str(message.get("id") or len(usages))] = usage
                        models[str(model)] += name == path

    def spent(name: str) -> int:
        return sum(count_of(usage.get(name)) for usage in usages.values())

    return {
        "project": folder,
        "model": max(models, key=models.__getitem__, default=""),
        "tokens_in": spent("input_tokens") + spent("cache_creation_input_tokens"),
        "tokens_cached": spent("cache_read_input_tokens"),
        "tokens_out": spent("output_tokens"),
    }


def _stop(stop: Stop, later: Sequence[Stop], sent: str, at: str, say: Say) -> Json:
    """One stop. With a message (`sent`, or else what would have been) also its evidence and what came of it."""
    findings, given = stop.judgement.findings, stop.judgement.verdict
    why = say(given.system_message or given.why_silent, 160)
    row: Json = {"line": stop.line, "at": at, "end_state": given.end_state.value, "why": why}
    proofs = any(one.state is State.PROVEN and not one.silent for one in findings)
    told = "borne_out" if proofs else "unproven"
    claims = {State.DISPROVEN: "contradicted", State.UNKNOWN: told}
    row["claim"] = next((claims.get(one.state) for one in findings if one.gate == "claims"), None)
    row["state"] = "open" if sent else _state(stop)
    if not sent and given.decision != "block":
        return row
    # The hook may have seen more than a replay does, which has no checkout: then it was about what is unknown here.
    pressing = [one for one in findings if one.open and one.reason in given.missing]
    pressing = pressing or [one for one in findings if one.state is State.UNKNOWN]
    shown = {(item.line, item.quote): item.file for one in pressing for item in one.evidence}
    evidence = [(line, say(quote, 120), file) for (line, quote), file in shown.items()]
    return {
        **row,
        "gates": list(dict.fromkeys(one.gate for one in pressing)),
        "missing": [say(sent.partition("\n")[0] or given.missing[0], 200)],
        "message": say(sent or given.feedback, 600),
        "evidence": [
            dict(zip(("line", "quote", "file"), one, strict=True)) for one in evidence[:4]
        ],
        "asked": say(stop.ledger.now.prompt, 160),
        "sent": bool(sent),
        "fate": _fate(pressing, later),
    }


def _state(stop: Stop) -> str:
    """proven, open, unknown, or nothing (there was nothing to prove)."""
    given = stop.judgement.verdict
    if given.complete:
        return "proven"
    if given.decision == "block" or given.end_state in _OPEN:
        return "open"
    tests = [one for one in stop.judgement.findings if one.gate == "tests" and not one.silent]
    unsure = any(one.state is State.UNKNOWN for one in tests)
    return "unknown" if unsure and given.end_state is EndState.WAITING_FOR_USER else "nothing"


def _fate(pressing: Sequence[Finding], later: Sequence[Stop]) -> str:
    """What came of a message: fixed (proven), explained (answered without a proof), given_up, skipped by the person, open."""
    about = {(one.gate, one.key) for one in pressing}
    for stop in later:
        given = stop.judgement.verdict
        same = [one for one in stop.judgement.findings if (one.gate, one.key) in about]
        states = {one.state for one in same}
        if given.end_state is EndState.SKIPPED or State.WAIVED in states:
            return "skipped"
        if given.complete or State.PROVEN in states:
            return "fixed"
        if given.end_state is EndState.GAVE_UP:
            return "given_up"
        if not any(one.open for one in same) or given.end_state in _ASKS:
            return "explained"
    return "open"


def _proofs(ledger: Ledger) -> Json:
    """By turn with edited code: whether the first test run after the first edit was green, and the seconds from the last
    edit to the start of the first run that passed.
    """
    green, seconds = list[bool](), list[int]()
    work = [edit for edit in ledger.edits if edit.kind == "code" and edit.is_work]
    tests = [run for run in ledger.runs if run.kind is CommandKind.TEST and not run.baseline]
    for turn, each in groupby(work, key=lambda edit: edit.turn):
        edits = [*each]
        own = [run for run in tests if run.turn == turn and run.sequence > edits[0].sequence]
        seen = [run for run in own if run.outcome in {Outcome.PASSED, Outcome.FAILED}]
        green += [run.outcome is Outcome.PASSED for run in seen[:1]]
        passed = [run for run in seen if run.outcome is Outcome.PASSED]
        proof = next((run for run in passed if run.sequence > edits[-1].sequence), None)
        if proof:
            with suppress(ValueError, TypeError):
                took = datetime.fromisoformat(proof.at) - datetime.fromisoformat(edits[-1].at)
                seconds.append(max(0, round(took.total_seconds())))
    return {"first_green": green, "proof_s": seconds}


def _marks(ledger: Ledger, stops: Sequence[Json], say: Say) -> Json:
    """The timeline's last marks, and how many came before."""
    marks = timeline(ledger)
    for turn in ledger.turns:
        if turn.number and turn.prompt:
            marks.append({"line": turn.line, "kind": "prompt", "what": turn.prompt, "at": turn.at})
    for stop in stops:
        told = stop.get("missing") or [stop["why"] or stop["end_state"]]
        marks.append(
            {
                **stop,
                "kind": "stop",
                "what": told[0],
                "outcome": stop["state"].replace("nothing", ""),
            }
        )
    marks.sort(key=lambda mark: (mark["at"], mark["line"]))
    found: list[Json] = []
    for mark in marks:
        what = mark["what"] if mark["kind"] not in _BY_COMMAND else mark["command"] or mark["what"]
        row = {"kind": mark["kind"], "what": what, "outcome": mark.get("outcome") or ""}
        last, times = found[-1] if found else {}, mark.get("times", 1)
        if last and row == {name: last[name] for name in row}:  # it waited and waited
            last["times"] += times
        else:
            found.append({**row, "line": mark["line"], "at": mark["at"], "times": times})
    shown = found[-_MOST_MARKS:]
    for one in shown:
        one |= {"what": say(one["what"], 160), "outcome": say(one["outcome"], 100)}
    return {"marks": shown, "marks_left_out": len(found) - len(shown)}
