"""Lines that say that a command never started: not found, not installed, not understood, refused."""

from ace_reflect import regex as re
from ace_reflect.evidence.runners.model import quote
from ace_reflect.evidence.runners.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME = r"[`'\"‘“]?(?P<name>[^\s'\"`’”]{1,200})[`'\"’”]?"
#: Words of which one is in such a line, and the line. `name` is the program, module or script that was missed; a line without
#: it is about the whole command. Each expression is built when its words are met.
_LINES: "tuple[tuple[tuple[str, ...], str], ...]" = (
    (("not found",), rf"^(?:\S{{0,80}}(?:bash|sh|zsh|fish)|\(eval\)): ?(?:line )?\d{{0,5}}:? ?{_NAME}: (?:command )?not found"),  # bash, dash
    (("command not found",), rf"^(?:\S{{0,80}}zsh|\(eval\))?:?\d{{0,5}}:? ?command not found: {_NAME}"),  # zsh
    (("No such file", "Permission denied", "cannot execute"), rf"^\S{{0,80}}(?:bash|sh): (?:line \d{{1,5}}: )?{_NAME}: (?:No such file or directory|Permission denied|cannot execute)"),
    (("No such file", "Not a directory"), r"^(?:\S{0,80}(?:bash|sh)|\(eval\)): ?(?:line \d{1,5}: ?)?(?P<cd>cd): .{1,300}(?:No such file or directory|Not a directory)"),
    (("no such file", "not a directory"), r"^(?:\(eval\):|zsh:)?(?P<cd>cd):(?:\d{1,4}:)? (?:no such file or directory|not a directory): "),
    (("No such file", "Permission denied", "not found"), rf"^(?:env|timeout|nice|time|xargs|sudo|exec|nohup): (?:failed to run command )?{_NAME}: (?:No such file|Permission denied|command not found)"),
    (("not recognized",), rf"^'{_NAME}' is not recognized as an internal or external command"),
    (("not recognized",), rf"^(?:\S{{1,80}}: )?The term {_NAME} is not recognized as "),  # PowerShell
    (("No module named", "can't open file"), rf"^\S{{0,200}}python[\d.]{{0,6}}(?:\.exe)?: (?:No module named {_NAME}|can't open file )"),
    (("Failed to spawn",), rf"^(?:error: )?Failed to spawn: {_NAME}"),  # uv
    (("Command not found",), rf"^Command not found: {_NAME}"),  # poetry
    (("no such command",), rf"^error: no such command: {_NAME}"),  # cargo
    (("nrecognized subcommand",), rf"^(?:error: )?[Uu]nrecognized subcommand {_NAME}"),
    (("nknown ",), rf"^(?:Error: |error: )?[Uu]nknown (?:command|subcommand):? {_NAME}"),
    (("nknown ",), rf"^(?:error|Error): [Uu]nknown (?:option|argument|flag):? {_NAME}"),
    (("unexpected argument", "unrecognized arguments"), rf"^(?:error: unexpected argument|\S{{1,60}}: error: unrecognized arguments:) {_NAME}"),
    (("npm ",), r"^npm (?:ERR!|error) (?:could not determine executable to run|enoent Could not read package\.json|canceled$)"),
    (("go: ",), r"^go: (?:go\.mod file not found|cannot find main module|cannot match )"),
    (("does not contain", "no Go files", "no required module"), r"^(?:pattern .{1,200}: directory prefix .{1,200} does not contain (?:main module|modules))|^no (?:Go files|required module)"),
    (("pytest: error", "usage: "), r"^(?:pytest: error: |ERROR: usage: )"),
    (("MSB100",), r"^MSBUILD : error MSB100[39]:"),
    (("Cargo.toml", "manifest path"), r"^(?:error: could not find `Cargo\.toml`|error: manifest path )"),
    (("Docker daemon", "docker", "is not running", "no such service"), r"^Cannot connect to the Docker daemon|^error during connect: .{0,200}docker|^service \"[^\"]{1,80}\" is not running|^no such service: "),
    (("no configuration file",), r"^no configuration file provided: not found"),
    (("Cannot find module",), r"^Error: Cannot find module '[^']{1,300}/node_modules/\.bin/[^']{1,80}'"),
    (("Cannot open file", "Could not open"), r"^Cannot open file \"[^\"]{1,300}\"\.$|^Could not open input file: "),
    (("does not exist",), r"^(?:fatal: )?(?:Error: )?The specified (?:project|solution) file .{1,200} does not exist"),
    (("virtual", "pyproject"), r"^(?:Could not find|No) (?:a )?(?:virtualenv|virtual environment|pyproject\.toml)\b"),
    (("JAVA_HOME",), r"^ERROR: JAVA_HOME is (?:not set and no 'java' command|set to an invalid directory)"),
    (("toolchain", "rustup could not"), r"^error: (?:no override and no default toolchain set|rustup could not choose a version|toolchain '.{1,80}' is not installed)"),
    (("Could not find ",), r"^(?:Bundler::GemNotFound: )?Could not find .{1,200} in (?:locally installed gems|any of the sources)"),
    # what a platform's stub or a version manager answers in a tool's place, and what the way to another machine does
    (("xcode-select: error: ", "xcrun: error: "), rf"^xcode-select: error: tool {_NAME} requires Xcode|^xcrun: error: (?:unable to find utility|invalid active developer path)"),
    (("a Java Runtime",), r"^(?:The operation couldn.t be completed\. )?Unable to locate a Java Runtime"),
    (("No version is set for ",), rf"^(?:mise ERROR )?No version is set for (?:command|shim:?) {_NAME}"),  # asdf, mise
    (("env: ",), rf"^(?:rb|py|nod|go|j|pl)env: (?:version [`'][^'`]{{1,80}}' is not installed|{_NAME}: command not found)"),
    (("install or update .NET", "compatible .NET SDK"), r"^(?:You must install or update \.NET to run this application|A compatible \.NET SDK was not found)"),
    (("No such container: ",), r"^Error(?: response from daemon)?: No such container: "),
    (("ssh: ",), r"^ssh: (?:connect to host \S{1,200} port \d|Could not resolve hostname )"),
    # what the host answers in the command's place
    (("requires approval", "requested permissions", "Permission to use", "Sibling tool", "<tool_use_error>"), r"^(?:Error: )?(?:This command requires approval|Claude requested permissions to |Permission to use Bash |Sibling tool call errored|<tool_use_error>)"),
    (("temporarily unavailable",), r"^.{1,80} is temporarily unavailable, so auto mode cannot determine the safety of "),
    (("multiple operations", "Cancelled", "doesn't want to"), r"^(?:Error: )?(?:This Bash command contains multiple operations|Cancelled: parallel tool call|The user doesn't want to )"),
)  # fmt: skip
_SIGNS = tuple(dict.fromkeys(sign for signs, _ in _LINES for sign in signs))


def never_ran(text: Text, names: "Iterable[str]", *, alone: bool) -> str:
    """
    The line that says that the command did not start, else "".

    Args:
        names: the words by which the command may be called there (program, module, script).
        alone: the shell line ran nothing else, so any such line is about this command.
    """
    known = {_base(name) for name in names}
    for _, line in text.having(*_SIGNS):
        for signs, pattern in _LINES:
            match = re.match(pattern, line) if any(sign in line for sign in signs) else None
            if not match:
                continue
            named = match.groupdict()
            name = named.get("name")
            if named.get("cd") or name is None or alone or _base(name) in known:
                return quote(line)
    return ""


def _base(name: str) -> str:
    return name.rstrip(":,.").rpartition("/")[2].partition("==")[0].lower()
