"""Commands with sub-commands: a mistyped one is answered with the nearest, and a group's own options hold for all of them."""

from difflib import get_close_matches

import click
from click.core import ParameterSource

_WHOLE = 1_000  # characters of a first sentence


class Group(click.Group):
    """
    A group of commands.

    `playbook --user list` is `playbook list --user`: an option that stands before the command is never passed over, for
    then `playbook --playbook other.json remove pat-001` would remove from the project's.
    """

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            name, command, rest = super().resolve_command(context, arguments)
        except click.UsageError as error:
            close = get_close_matches(arguments[0], self.list_commands(context), n=1)
            if not close:
                raise
            raise click.UsageError(
                f"{error.message} Did you mean '{close[0]}'?", ctx=context
            ) from None
        if name is not None and command is not None:
            context.default_map = {name: self._given_before(context, name, command)}
        return name, command, rest

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with its whole first sentence, which click would cut off at the line's end."""
        found = [(name, self.get_command(context, name)) for name in self.list_commands(context)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, command.get_short_help_str(limit=_WHOLE))
                    for name, command in found
                    if command
                ]
            )

    def _given_before(
        self, context: click.Context, name: str, command: click.Command
    ) -> dict[str, object]:
        given = {
            option: value
            for option, value in context.params.items()
            if context.get_parameter_source(option) is ParameterSource.COMMANDLINE
        }
        known = {parameter.name for parameter in command.params}
        for parameter in self.params:
            if parameter.name in given and parameter.name not in known:
                raise click.UsageError(
                    f"'{name}' has no option '{parameter.opts[-1]}'.", ctx=context
                )
        return given
