"""New source files that nothing in the tree refers to: written, but not wired in. A hint to the person."""

from ace_reflect.gates.model import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.model import Finding

GATE = "wiring"


def wiring_gate(case: "Case", unreferenced: "tuple[str, ...] | None") -> "Finding":
    """`unreferenced`: the new files that nothing names, as the edge found them in the checkout; None: nobody looked."""
    new = [edit for edit in case.own(case.ledger.edits) if edit.created and edit.kind == "code"]
    if not new:
        return case.finding(GATE, State.NOT_APPLICABLE, "no source file is new")
    if unreferenced is None:
        return case.finding(GATE, State.UNKNOWN, "no checkout at hand to look for references in")
    lost = [edit for edit in new if edit.path in unreferenced]
    if not lost:
        return case.finding(GATE, State.PROVEN, "every new source file is referred to")
    names = ", ".join(edit.path.rpartition("/")[2] for edit in lost[:3])
    evidence = tuple(map(case.shown, lost[:3]))
    return case.finding(
        GATE, State.DISPROVEN, f"nothing refers to {names}", evidence=evidence, key=f"wiring:{lost[-1].line}"
    )
