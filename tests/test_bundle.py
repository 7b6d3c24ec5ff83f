"""The hooks' compiled modules in one file: used while it holds, never in the way."""

import json
import marshal
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
#: What a hook has of the package: in order, each module with what the import system sets on it.
MODULES = """
import json, sys
def shown(name, module):
    parent, _, tail = name.rpartition('.')
    spec = module.__spec__
    return [name, module.__file__, module.__package__, getattr(module, '__path__', None), type(module.__loader__).__name__,
            [spec.name, spec.origin, spec.parent, spec.cached, spec.has_location, spec.submodule_search_locations],
            not parent or getattr(sys.modules[parent], tail) is module]
sys.stderr.write(json.dumps([shown(n, m) for n, m in sys.modules.items() if n.split('.')[0] == 'ace_reflect']))
"""
SHOW = "import sys; sys.stderr.write(' '.join(sorted(n for n, m in sys.modules.items() if type(getattr(m, '__loader__', None)).__name__ == 'Bundle')))"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of its own, compiled as far as hooks compile it."""
    place = tmp_path / "checkout"
    shutil.copytree(
        ROOT / "src" / "ace_reflect", place / "src" / "ace_reflect", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "hooks", place / "hooks")
    prompt(place)
    return place


def prompt(checkout: Path, session: str = "s", *, show: str = "") -> subprocess.CompletedProcess[str]:
    """One prompt's hook; `show` is run at its end."""
    home = checkout.parent / "home"
    payload = f'{{"session_id": "{session}", "cwd": "{home}", "transcript_path": "{home}/t.jsonl", "hook_event_name": "UserPromptSubmit", "prompt": "fix it", "prompt_id": "{session}"}}'
    script = checkout / "hooks" / "user_prompt_submit.py"
    code = f"import os, runpy, sys\nleave = os._exit\ndef last(code):\n    exec({show!r}, {{}})\n    sys.stderr.flush()\n    leave(code)\nos._exit = last\nrunpy.run_path({str(script)!r}, run_name='__main__')\n"
    command = [sys.executable, "-I", "-c", code] if show else [sys.executable, "-I", str(script)]
    done = subprocess.run(
        command, input=payload, capture_output=True, text=True, check=False, timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "ACE_REFLECT_HOME": str(home)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def bundled(checkout: Path) -> set[str]:
    """The modules that came out of the bundle."""
    return set(prompt(checkout, "show", show=SHOW).stderr.split())


def file_of(checkout: Path) -> Path:
    return (
        checkout / "src" / "ace_reflect" / "__pycache__" / f"user_prompt_submit.{sys.implementation.cache_tag}.bundle"
    )


def test_the_second_hook_takes_its_modules_from_the_bundle(checkout: Path) -> None:
    found = bundled(checkout)
    assert {
        "ace_reflect.hooks",
        "ace_reflect.hooks.edge",
        "ace_reflect.state.db",
        "ace_reflect.playbook.select",
    } <= found
    assert "ace_reflect" not in found  # it is there before the bundle


def test_the_standard_library_comes_out_of_it_too_as_the_import_system_makes_it(checkout: Path) -> None:
    show = MODULES.replace(
        "== 'ace_reflect'", "in {'sqlite3', 'datetime', '_sqlite3', '_datetime', 'math', 'posixpath'}"
    )
    place = file_of(checkout)
    whole = place.read_bytes()
    place.unlink()
    usual = {row[0]: row for row in json.loads(prompt(checkout, "usual", show=show).stderr)}
    place.write_bytes(whole)
    ours = {row[0]: row for row in json.loads(prompt(checkout, "ours", show=show).stderr)}
    # No extension, nothing built in or frozen.
    assert {name for name, row in ours.items() if row[4] == "Bundle"} == {"sqlite3", "sqlite3.dbapi2", "datetime"}
    for name, row in usual.items():
        row[4] = ours[name][4]  # the loader
        row[5][3] = ours[name][5][3]  # where its code is kept
        assert ours[name] == row


def test_a_library_module_that_changed_comes_the_usual_way_and_is_taken_in_anew(checkout: Path) -> None:
    place = file_of(checkout)
    whole = place.read_bytes()
    length = int.from_bytes(whole[14:22], "little")
    maker, index, library, parcels = marshal.loads(whole[30 : 30 + length])  # noqa: S302 - our own
    path, size, changed, *rest = library["datetime"]
    table = marshal.dumps((maker, index, {**library, "datetime": (path, size, changed - 1, *rest)}, parcels))
    codes = whole[30 + length :]
    sizes = (len(table), 30 + len(table) + len(codes))
    place.write_bytes(whole[:14] + b"".join(size.to_bytes(8, "little") for size in sizes) + table + codes)
    assert "datetime" not in bundled(checkout)
    assert {"datetime", "sqlite3"} <= bundled(checkout)


def test_a_file_that_stands_in_for_a_library_module_once_is_not_kept(checkout: Path) -> None:
    """Somebody's `reprlib.py` on PYTHONPATH, in a hook that was run by hand."""
    file_of(checkout).unlink()
    elsewhere = checkout.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "reprlib.py").write_text(
        "import sys\nprint('ELSEWHERE', file=sys.stderr)\ndef recursive_repr(*_):\n    return lambda f: f\n"
    )
    done = subprocess.run(
        [sys.executable, str(checkout / "hooks" / "user_prompt_submit.py")],
        input="{}", capture_output=True, text=True, check=False, timeout=60,
        env={"PATH": os.environ["PATH"], "HOME": str(checkout.parent), "PYTHONPATH": str(elsewhere)},
    )  # fmt: skip
    assert "ELSEWHERE" in done.stderr
    assert file_of(checkout).exists()
    assert b"ELSEWHERE" not in file_of(checkout).read_bytes()
    assert "ELSEWHERE" not in prompt(checkout, "a").stderr


def test_nothing_is_written_where_nothing_was_missed(checkout: Path) -> None:
    prompt(checkout, "learns what an import brings in")
    before = file_of(checkout).stat()
    prompt(checkout, "again")
    assert file_of(checkout).stat().st_mtime_ns == before.st_mtime_ns
    assert file_of(checkout).stat().st_ino == before.st_ino


def test_a_module_that_changed_is_read_from_its_source(checkout: Path) -> None:
    place = checkout / "src" / "ace_reflect" / "state" / "claims.py"
    place.write_text(place.read_text() + "\n\nimport sys\n\nsys.stderr.write('CHANGED\\n')\n")
    assert "CHANGED" in prompt(checkout, "a").stderr  # as a change, not from the bundle
    assert "CHANGED" in prompt(checkout, "b").stderr  # and out of the new bundle
    assert "ace_reflect.state.claims" in bundled(checkout)


def test_modules_that_were_run_ahead_are_as_the_import_system_makes_them(checkout: Path) -> None:
    learning = "import sys; sys.stderr.write(' '.join(sys.meta_path[0].learned))"
    one_by_one = prompt(checkout, "a", show=MODULES).stderr
    assert prompt(checkout, "b", show=learning).stderr == ""  # it was learned: what follows runs ahead
    ahead = prompt(checkout, "c", show=MODULES).stderr
    assert sorted(json.loads(ahead)) == sorted(json.loads(one_by_one))
    file_of(checkout).unlink()
    prompt(checkout, "d")
    assert "ace_reflect.hooks.user_prompt_submit" in prompt(checkout, "e", show=learning).stderr


def test_what_is_run_ahead_changes_with_its_modules(checkout: Path) -> None:
    place = checkout / "src" / "ace_reflect" / "hooks" / "prompt_text.py"
    text = place.read_text()
    imported = []
    for number, more in enumerate(("", "from ace_reflect.project import git\n", "#")):
        place.write_text(f"{text}\n\n{more}")
        shown = [prompt(checkout, f"{number} {again}", show=MODULES).stderr for again in range(4)]
        imported.append(["ace_reflect.project.git" in each for each in shown])
    assert imported == [[False] * 4, [True] * 4, [False] * 4]


def test_what_fails_when_it_is_run_ahead_fails_as_it_would_have(checkout: Path) -> None:
    place, flag = checkout / "src" / "ace_reflect" / "state" / "claims.py", checkout / "flag"
    place.write_text(place.read_text() + f"\n\nif os.path.exists({str(flag)!r}):\n    raise LookupError('no claims')\n")
    for number in range(3):
        assert prompt(checkout, f"{number}").stderr == ""
    flag.touch()
    done = subprocess.run(
        [sys.executable, "-I", str(checkout / "hooks" / "user_prompt_submit.py")],
        input="{}", capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert f'{place}", line {len(place.read_text().splitlines())}' in done.stderr
    assert done.stderr.endswith("LookupError: no claims\n")


def test_a_module_that_is_gone_is_gone(checkout: Path) -> None:
    (checkout / "src" / "ace_reflect" / "hooks" / "prompt_text.py").unlink()
    shutil.rmtree(checkout / "src" / "ace_reflect" / "hooks" / "__pycache__", ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-I", str(checkout / "hooks" / "user_prompt_submit.py")],
        input="{}", capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "prompt_text" in done.stderr


def test_a_first_hook_on_a_full_disk_leaves_nothing_that_breaks_the_next(checkout: Path) -> None:
    """A compiled module that was cut short would be read, and would fail, at every hook ever after."""
    for place in (checkout / "src").rglob("__pycache__/*"):
        if place.name.partition(".")[0] not in {"__init__", "bundle"}:  # what starts the bundle is all that is compiled
            place.unlink()
    limited = (
        "import resource, runpy, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        f"runpy.run_path({str(checkout / 'hooks' / 'user_prompt_submit.py')!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", limited], input="{}", capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert {place.name.partition(".")[0] for place in (checkout / "src").rglob("*.pyc")} <= {"__init__", "bundle"}
    assert prompt(checkout, "next").stderr == ""
    assert "ace_reflect.hooks.edge" in bundled(checkout)


@pytest.mark.parametrize("damage", ["empty", "cut", "noise", "other interpreter", "huge"])
def test_a_broken_bundle_is_no_bundle(checkout: Path, damage: str) -> None:
    place = file_of(checkout)
    whole = place.read_bytes()
    other = marshal.dumps((("another", 0), {}))
    place.write_bytes(
        {
            "empty": b"", "cut": whole[:-200], "noise": os.urandom(400), "huge": whole[:14] + b"\xff" * 8 + whole[22:],
            "other interpreter": whole[:14] + len(other).to_bytes(8, "little") + (30 + len(other)).to_bytes(8, "little") + other,
        }[damage]
    )  # fmt: skip
    assert prompt(checkout, "a").stderr == ""
    assert "ace_reflect.hooks.edge" in bundled(checkout)  # it was written anew


@pytest.mark.parametrize(("begin", "end"), [(0.0, 1.0), (0.0, 0.5), (0.5, 1.0), (0.7, 1.0)])
def test_damaged_codes_in_a_bundle_come_the_usual_way_and_it_is_mended(
    checkout: Path, begin: float, end: float
) -> None:
    """The power went before the disk had them: the size is right and nothing says so."""
    for session in ("learns", "runs ahead"):
        prompt(checkout, session)
    whole = bytearray(file_of(checkout).read_bytes())
    first = 30 + int.from_bytes(whole[14:22], "little")
    start, stop = (first + int((len(whole) - first) * share) for share in (begin, end))
    whole[start:stop] = bytes(stop - start)
    file_of(checkout).write_bytes(whole)
    assert [prompt(checkout, session).stderr for session in "abc"] == ["", "", ""]
    assert bytes(200) not in file_of(checkout).read_bytes()
    assert "ace_reflect.hooks.user_prompt_submit" in bundled(checkout)


def test_where_nothing_can_be_written_hooks_work_without_one(checkout: Path) -> None:
    file_of(checkout).unlink()
    place = file_of(checkout).parent
    shutil.rmtree(place)
    place.write_text("a file stands where the folder would")
    assert prompt(checkout, "a").stderr == ""
    assert bundled(checkout) == set()


def test_hooks_that_end_at_once_leave_a_whole_bundle(checkout: Path) -> None:
    file_of(checkout).unlink()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: prompt(checkout, f"s{number}"), range(8)))
    assert "ace_reflect.hooks.edge" in bundled(checkout)
    assert list(file_of(checkout).parent.glob("*.bundle.*")) == []


def test_what_a_killed_hook_left_of_its_writing_is_swept(checkout: Path) -> None:
    (whole,) = (checkout / "src" / "ace_reflect" / "__pycache__").glob("*.bundle")
    old, now = (whole.with_name(f"{whole.name}.{number}") for number in (11, 12))
    for place in (old, now):
        place.write_bytes(b"half")
    os.utime(old, (1_000_000, 1_000_000))
    whole.unlink()

    prompt(checkout)

    assert (whole.exists(), old.exists(), now.exists()) == (True, False, True)


def test_an_error_names_the_file_and_line_it_comes_from(checkout: Path) -> None:
    place = checkout / "src" / "ace_reflect" / "playbook" / "select.py"
    place.write_text(
        place.read_text()
        .replace("def for_prompt(", "def for_prompt_(")
        .replace(
            "def _books(", "def for_prompt(*_: object, **__: object) -> None:\n    raise KeyError('x')\n\n\ndef _books("
        )
    )
    (checkout.parent / "home").mkdir(exist_ok=True)
    (checkout.parent / "home" / "playbook.json").write_text(
        '{"sections": {"OTHERS": [{"name": "oth-001", "text": "x", "helpful": 1, "harmful": 0}]}}'
    )
    line = next(number for number, text in enumerate(place.read_text().splitlines(), 1) if "KeyError('x')" in text)
    for session in ("a", "b"):  # from the source, then from the bundle
        prompt(checkout, session)
    rows = (checkout.parent / "home" / "log.jsonl").read_text().splitlines()
    assert [f'"where": "select.py:{line}"' in row for row in rows[-2:]] == [True, True]
