"""What a person has settled of a playbook: what they refused, what they put in, what their own playbook says."""

from collections.abc import Sequence
from functools import cached_property

from ace_reflect.playbook.dedup import same_text
from ace_reflect.playbook.model import Playbook
from ace_reflect.state import record
from ace_reflect.state.db import State


class PersonsWord:
    """
    What stands in one playbook by a person's word. `others` are the playbooks that a session has beside it.

    The record is read when the first operation is asked about: most lessons have none.
    """

    def __init__(self, state: State, playbook: str, others: Sequence[Playbook]) -> None:
        self._state = state
        self._playbook = playbook
        self._others = others

    def elsewhere(self, text: str) -> str:
        """The id of the key point in another playbook that says the same, which would be injected twice; or ""."""
        return next((name for book in self._others if (name := same_text(book, text))), "")

    def refused(self, text: str) -> str | None:
        """
        None for a text that the person never refused in these words; "" where they are asked about it once more, else why
        they are not. A rejection in review is final. A text that they removed, rewrote or took back with its session may
        have gone for another reason, so it is put to them once.
        """
        rejected, gone = self._refused
        if same_text(rejected, text):
            return "a person rejected it in review"
        return "" if same_text(gone, text) else None

    def put_in(self, key_point: str) -> bool:
        """Whether they wrote, rewrote or accepted this key point."""
        return key_point in self._put_in

    @cached_property
    def _put_in(self) -> frozenset[str]:
        return record.put_in_by_person(self._state, self._playbook)

    @cached_property
    def _refused(self) -> tuple[Playbook, Playbook]:
        texts = record.refused_texts(self._state, self._playbook)
        return _as_playbook(texts.rejected), _as_playbook(texts.gone)


def _as_playbook(texts: Sequence[str]) -> Playbook:
    return {
        "sections": {
            "OTHERS": [{"name": f"oth-{at}", "text": text} for at, text in enumerate(texts)]
        }
    }
