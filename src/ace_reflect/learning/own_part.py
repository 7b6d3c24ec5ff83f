"""What of a long prompt is the person's own, and not pasted from somebody else."""

import re

MAX_PROMPT = (
    4_000  # of a longer prompt only the first and the last lines are taken for the person's own
)
_MAX_LINE = 300  # of a line, the end that may announce what follows

#: What comes after such a line is what somebody else wrote, and so is a document with headings, or a prompt for a role.
_REPORTS = re.compile(
    r"\b(?:says?|said|wrote|writes|comment(?:s|ed)?|feedback|review(?:er|s)?|suggest(?:s|ed|ions?)?|docs?|documentation|readme|guide|article|spec|ticket|issue|email|message|prompt|output|log|error"
    r"|pasted?|text|schreibt|sagt|meint|écrit|dit|escribe|dice)\b",
    re.IGNORECASE,
)
_OWN_REPORT = re.compile(r"\bi (?:said|(?:have |already )*told)\b", re.IGNORECASE)
_HEADING = re.compile(r"(?m)^#{1,6} \S")
_ROLE = re.compile(
    r"(?i)^\W*(?:you are|you're|act as|du bist|tu es|eres) (?:an? |the |ein |eine |une? |una? )"
)


def own_part(prompt: str) -> str:
    """What of a prompt is the person's own: a document's "always", a reviewer's or a role's is not."""
    if _ROLE.match(prompt):
        return ""
    if len(_HEADING.findall(prompt)) > 1:
        prompt = _HEADING.split(prompt, maxsplit=1)[0]
    prompt = _before_report(prompt)
    if len(prompt) <= MAX_PROMPT:
        return prompt
    blocks = [block for block in re.split(r"\n\s*\n", prompt) if block.strip()]
    ends = [blocks[0], blocks[-1]] if len(blocks) > 1 else [blocks[0][:1_000]] if blocks else []
    return "\n\n".join(block for block in ends if len(block) <= MAX_PROMPT // 2)


def _before_report(prompt: str) -> str:
    lines = prompt.split("\n")
    for at, line in enumerate(lines):
        said = line.strip()[-_MAX_LINE:]
        if said.endswith(":") and _REPORTS.search(said) and not _OWN_REPORT.search(said):
            return "\n".join(lines[:at])
    return prompt
