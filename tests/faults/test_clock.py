"""A clock that jumps: back by a year, or forth into a far future and home again. (Claims: `tests/state`.)"""

import json

import pytest

from support.faults import add_turn, counted, session_of, sound, texts

YEAR = 365 * 86400

#: The clock of one child, `shift` seconds from the machine's: `time` and what `datetime` makes of it.
SHIFTED = """
import datetime, time
real, real_ns = time.time, time.time_ns
time.time = lambda: real() + {shift}
time.time_ns = lambda: real_ns() + {shift} * 10**9
gmtime, strftime = time.gmtime, time.strftime
time.gmtime = lambda at=None: gmtime(time.time() if at is None else at)
time.strftime = lambda form, at=None: strftime(form, time.localtime(time.time()) if at is None else at)
class Shifted(datetime.datetime):
    @classmethod
    def now(cls, zone=None):
        return datetime.datetime.fromtimestamp(time.time(), zone)
import ace_reflect.playbook.history as history, ace_reflect.playbook.store as store
store.datetime, history.KEPT_VERSIONS = Shifted, 3
"""


@pytest.mark.parametrize("jump", [-YEAR, 5 * YEAR])
def test_a_session_over_a_jump_of_the_clock_is_learned_from_once(jump, host, nursery):
    session = session_of(host, 0)
    name = {"session_id": session.session_id}
    nursery.event("SessionStart", source="startup", **name)
    for number, shift in enumerate((0, jump, 0, jump), start=1):  # there, and home again
        add_turn(session).write()
        before = SHIFTED.format(shift=shift)
        nursery.event("SessionEnd", reason="other", round=number, before=before, **name)
        assert nursery.worker(before=before).code == 0
        assert counted(host) == (number,) * 3
    nursery.event("SessionEnd", reason="other", round="last", **name)
    assert nursery.worker().code == 0
    assert counted(host) == (4, 4, 4), "what a worker of the future tidied away stays learned"
    sound(host)


def test_the_last_change_is_the_last_whatever_the_clock_said(host, nursery):
    """Versions are in the order in which they were made: undo takes back the newest, and history keeps it."""
    made = ["Run the tests."]
    for shift in (YEAR, YEAR, YEAR, 0):
        made.append(f"Rule {len(made)}.")
        before = SHIFTED.format(shift=shift)
        assert nursery.command("playbook", "add", made[-1], before=before).code == 0
    listed = json.loads(nursery.command("playbook", "history", "--json").out)
    assert len(listed["versions" if "versions" in listed else "history"]) == 3
    for _ in range(2):
        made.pop()
        assert nursery.command("playbook", "undo").code == 0
        assert texts(host) == made
