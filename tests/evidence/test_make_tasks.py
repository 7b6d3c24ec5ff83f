"""make's and ninja's goals, whatever options stand around them."""

import pytest

from ace_reflect.evidence.commands import Command, classify


def work(command: str) -> list[Command]:
    return [found for found in classify(command, "/repo") if found.kind not in ("read", "other")]


@pytest.mark.parametrize(
    ("command", "kinds", "cwd"),
    [
        ("make -j$(nproc) test", ["test"], "/repo"),
        ("make -j`nproc` test", ["test"], "/repo"),
        ("make -j$(sysctl -n hw.ncpu)", ["build"], "/repo"),
        ("make -j $(nproc)", ["build"], "/repo"),
        ("make -j $JOBS check", ["test"], "/repo"),
        ("make -Cnative test", ["test"], "/repo/native"),
        ("make -sC engine test", ["test"], "/repo/engine"),
        ("make -fci/unix.mk test", ["test"], "/repo"),
        ("make -Oline -j4 test", ["test"], "/repo"),
        ("make clean all", ["build"], "/repo"),
        ("make all test", ["build", "test"], "/repo"),
        ("make clean", [], "/repo"),
        ("ninja -Cbuild -j8 test", ["test"], "/repo/build"),
        ("ninja -C build check-llvm", ["test"], "/repo/build"),
        ("ninja -C build unit_tests", ["build"], "/repo/build"),
        ("ninja -C build -t clean", [], "/repo"),
        ("ninja -C build clean", [], "/repo"),
        ("ninja -C out/Default chrome", ["build"], "/repo/out/Default"),
        ("cmake --build build --target clean", [], "/repo"),
        ("cmake --build build --target parser", ["build"], "/repo"),
        ("cmake --build build --target all check-llvm", ["build", "test"], "/repo/build"),
        ("cmake --build build --target parser_test", ["build"], "/repo"),
        ("cmake --build build --target RUN_TESTS", ["test"], "/repo/build"),
    ],
)
def test_goals_are_found_among_options(command: str, kinds: list[str], cwd: str) -> None:
    found = work(command)

    assert [one.kind for one in found] == kinds
    assert not any(one.collects_only for one in found)
    assert {one.cwd for one in found if one.kind == "test" or len(found) == 1} <= {cwd}


@pytest.mark.parametrize("command", ["make -n test", "make -kn test", "make -C native -n test", "make --dry-run test"])
def test_a_dry_run_executes_nothing(command: str) -> None:
    assert [(one.kind, one.collects_only) for one in work(command)] == [("test", True)]


@pytest.mark.parametrize("command", ["make -n", "make -qk all", "ninja -n"])
def test_a_dry_run_of_a_build_is_a_look(command: str) -> None:
    assert work(command) == []
