"""What `ace-reflect eval` shows a person: a line a suite, then every miss with its label's reason."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from ace_reflect.evals.cases import KINDS
from ace_reflect.evals.score import Result, Score
from ace_reflect.playbook.neutral import neutralise

WIDTH = 80
_HEADS = ("suite", "cases", "accuracy", "sensitivity", "specificity", "alarms", "open", "cost")
_RIGHT = frozenset(_HEADS[1:])
NOTE = (
    "Sensitivity: cases that call for something, found. Specificity: the others, left in peace. Alarms: those of the"
    " others that were acted on. Open: left undecided, which is never counted as right."
)


def page(engine: str, scores: Sequence[Score]) -> str:
    """The page for a terminal, 80 columns wide."""
    rows = [_HEADS, *(_row(name, score) for name, score in _lines(scores))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    table = [
        "  ".join(
            _fitted(cell, head, width)
            for cell, head, width in zip(row, _HEADS, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
    parts = [f"Engine: {neutralise(engine)}", "\n".join(table), fill(NOTE, WIDTH)]
    parts += [_misses(score) for score in scores if score.misses]
    return "\n\n".join(parts)


def markdown(engine: str, scores: Sequence[Score]) -> str:
    """The same for a pull request or a run's summary."""
    lines = [
        f"### Evaluation suites: {_cell(engine)}",
        "",
        _md_row(_HEADS),
        "| --- |" + " ---: |" * (len(_HEADS) - 1),
    ]
    lines += [_md_row(_row(name, score)) for name, score in _lines(scores)]
    lines += ["", NOTE]
    for score in scores:
        if score.misses:
            lines += [
                "",
                f"<details><summary>{score.suite}: {len(score.misses)} misses</summary>",
                "",
                "| case | right | said | why the label |",
                "| --- | --- | --- | --- |",
            ]
            lines += [
                _md_row((result.case.id, _expected(result), _said(result), result.case.why))
                for result in score.misses
            ]
            lines += ["", "</details>"]
    return "\n".join(lines)


def _lines(scores: Sequence[Score]) -> Iterator[tuple[str, Score]]:
    for score in scores:
        yield score.suite, score
        combined = score.combined
        if combined is not None:
            yield "  rules first", combined


def _row(name: str, score: Score) -> tuple[str, ...]:
    rates = (score.accuracy, score.sensitivity, score.specificity)
    return (
        name,
        str(score.cases),
        *map(_percent, rates),
        str(score.false_alarms),
        str(score.undecided + score.failed),
        _cost(score),
    )


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.0%}"


def _cost(score: Score) -> str:
    usage = score.usage
    if not usage.input_tokens and not usage.output_tokens:
        return "-"
    if usage.cost_usd is None:
        return "?"
    return f"${usage.cost_usd:.2f}" if usage.cost_usd >= 0.1 else f"${usage.cost_usd:.3f}"


def _fitted(cell: str, head: str, width: int) -> str:
    return cell.rjust(width) if head in _RIGHT else cell.ljust(width)


def _misses(score: Score) -> str:
    lines = [
        f"{score.suite}: {KINDS[score.suite].asks} {len(score.misses)} of {score.cases} missed"
    ]
    for result in score.misses:
        lines.append(
            f"  {result.case.id}: {_expected(result)}, said {_said(result)}"
            + (" (false alarm)" if result.false_alarm else "")
        )
        lines.append(_indented(result.case.why))
        why = result.answer.failed or result.answer.why
        if why:
            lines.append(_indented(f"said because: {neutralise(why)[:300]}"))
    return "\n".join(lines)


def _expected(result: Result) -> str:
    right = result.case.right
    return right[0] if len(right) == 1 else f"{right[0]} to {right[-1]}"


def _said(result: Result) -> str:
    return "nothing" if result.answer.failed else result.answer.said


def _indented(text: str) -> str:
    return fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent="    ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )


def _md_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return neutralise(text).replace("|", "\\|").replace("<", "&lt;")
