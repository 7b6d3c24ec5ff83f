"""Options that stand before a command, and commands that are mistyped."""

import pytest

from support.cli import Ace

GROUPS = ["playbook", "review", "queue", "config"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("playbook --user list", "playbook list --user"),
        ("playbook --json list", "playbook list --json"),
        ("playbook --project . stats", "playbook stats --project ."),
        ("playbook --user --json history", "playbook history --user --json"),
        ("queue --json list", "queue list --json"),
        ("review --json list", "review list --json"),
        ("config --json show", "config show --json"),
        ("config --project . show", "config show --project ."),
    ],
)
def test_an_option_before_the_command_is_the_same_as_one_behind_it(
    ace: Ace, before: str, after: str
) -> None:
    ace("playbook", "add", "the project's")
    ace("playbook", "add", "mine", "--user")

    assert ace(*before.split()) == ace(*after.split())


def test_a_playbook_that_is_named_before_the_command_is_the_one_that_is_changed(
    ace: Ace, tmp_path
) -> None:
    other = tmp_path / "other.json"
    ace("playbook", "add", "of the project")
    ace("playbook", "add", "of the other", "--playbook", other)

    assert ace("playbook", "--playbook", other, "remove", "pref-001").code == 0

    assert "of the project" in ace("playbook", "list").out
    assert "of the other" not in ace("playbook", "list", "--playbook", other).out


def test_what_stands_behind_the_command_comes_first(ace: Ace, tmp_path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    ace("playbook", "--playbook", one, "add", "x", "--playbook", two)

    assert (one.exists(), two.exists()) == (False, True)


def test_an_option_that_the_command_does_not_know_is_a_mistake_in_the_usage(ace: Ace) -> None:
    said = ace("playbook", "--json", "export")

    assert (said.code, said.out) == (2, "")
    assert "'export' has no option '--json'." in said.err


def test_ways_that_exclude_each_other_do_so_on_both_sides(ace: Ace) -> None:
    assert ace("playbook", "--user", "list", "--project", ".").code == 2


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("playbook lst", "list"),
        ("queue rn", "run"),
        ("review acept", "accept"),
        ("config shw", "show"),
    ],
)
def test_a_command_of_a_group_that_is_mistyped_is_answered_with_the_nearest(
    ace: Ace, typed: str, meant: str
) -> None:
    said = ace(*typed.split())

    assert said.code == 2
    assert f"Did you mean '{meant}'?" in said.err


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_cuts_no_sentence(ace: Ace, group: str) -> None:
    page = ace(group, "--help").out

    assert "..." not in page.partition("Commands:")[2]
    assert all(len(line) <= 80 for line in page.splitlines())
