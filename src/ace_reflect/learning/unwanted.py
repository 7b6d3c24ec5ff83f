"""What a learner proposes although a person has settled it: they refused it before, or have it in their own playbook."""

from collections.abc import Sequence
from functools import cached_property

from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.model import Playbook
from ace_reflect.state import record
from ace_reflect.state.db import State


class Unwanted:
    """
    What is not wanted in one playbook. `others` are the playbooks that a session has beside it.

    The record is read when the first text is asked about: most lessons propose none.
    """

    def __init__(self, state: State, playbook: str, others: Sequence[Playbook] = ()) -> None:
        self._state = state
        self._playbook = playbook
        self._others = others

    def elsewhere(self, text: str) -> str:
        """The id of the key point in another playbook that says the same, which would be injected twice; or ""."""
        return next((name for book in self._others if (name := same_text(book, text))), "")

    def refused(self, text: str) -> str | None:
        """
        None for a text that a person never refused, in these words. Else why it is not put to them again: a rejection in
        review is final. "" where they removed it, rewrote it or took its session back, which may have been about something
        else: then they are asked, once.
        """
        rejected, gone = self._refused
        if same_text(rejected, text):
            return "a person rejected it in review"
        return "" if same_text(gone, text) else None

    @cached_property
    def _refused(self) -> tuple[Playbook, Playbook]:
        texts = record.refused_texts(self._state, self._playbook)
        return _as_playbook(texts.rejected), _as_playbook(texts.gone)


def _as_playbook(texts: Sequence[str]) -> Playbook:
    return {"sections": {"OTHERS": [{"name": f"oth-{at}", "text": text} for at, text in enumerate(texts)]}}
