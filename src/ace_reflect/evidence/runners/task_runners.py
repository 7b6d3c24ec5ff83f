"""What make, just, mise, npm and their like say of the command they ran. They have no tests of their own."""

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text, first_match
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = (
    Late(
        r"^g?make(?:\[\d{1,3}\])?: \*\*\* \[.{1,200}\] ?(?:Error \d{1,3}|.{1,40})$", needs=(": *** [", "make")
    ),  # make: *** [Makefile:3: test] Error 1
    Late(
        r"^error: [Rr]ecipe `.{1,80}` (?:failed|was terminated)",
        needs=("error: Recipe `|error: recipe `", "` failed|` was terminated"),
    ),  # just
    Late(r"^(?:\[[\w:./-]{1,80}\] )?(?:mise )?ERROR task failed", needs=("ERROR task failed",)),  # mise
    Late(r"^task: Failed to run task ", needs=("task: Failed to run task ",)),  # go-task
    Late(r"^rake aborted!", needs=("rake aborted!",)),  # rake
    Late(
        r"^npm (?:ERR!|error) (?:Test failed|Lifecycle script `.{1,80}` failed|code ELIFECYCLE|code \d{1,3}$|Exit status \d|command failed)",
        needs=("npm ERR! |npm error ", "Exit status |Lifecycle script `|Test failed|code |command failed"),
    ),
    Late(
        r"^\[?\s{0,2}ELIFECYCLE\]?\s{1,3}(?:Test|Command) failed", needs=("ELIFECYCLE", "Command failed|Test failed")
    ),  # pnpm
    Late(
        r"^(?:Error:)?\s{0,2}ERR_PNPM_RECURSIVE_(?:(?:RUN|EXEC)_FIRST_)?FAIL",
        needs=("ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL|ERR_PNPM_RECURSIVE_FAIL|ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL",),
    ),
    Late(
        r"^error Command failed with (?:exit code|signal) ",
        needs=("error Command failed with exit code |error Command failed with signal ",),
    ),  # yarn 1
    Late(
        r'^error: script ".{1,80}" (?:exited with code|was terminated by signal)',
        needs=('error: script "', '" exited with code|" was terminated by signal'),
    ),  # bun
    Late(
        r"^Script .{1,200} handling the .{1,80} event returned with error code", needs=("Script ", " handling the ")
    ),  # composer
    Late(r"^Error: Subprocess aborted by signal", needs=("Error: Subprocess aborted by signal",)),  # poe
    Late(
        r"^(?:ERROR|FAILED): (?:.{0,80} )?[Bb]uild did NOT complete",
        needs=("ERROR: |FAILED: ", "Build did NOT complete|build did NOT complete"),
    ),  # bazel
)
_NOTHING = (
    Late(r"^g?make(?:\[\d{1,3}\])?: \*\*\* No (?:rule to make target|targets specified|targets\.)", needs=("make",)),
    Late(
        r"^g?make(?:\[\d{1,3}\])?: (?:Nothing to be done for|['`].{1,80}' is up to date)",
        needs=("make", "' is up to date|Nothing to be done for"),
    ),
    Late(
        r"^error: (?:[Jj]ustfile does not contain recipe|No justfile found)",
        needs=(
            "error: Justfile does not contain recipe|error: No justfile found|error: justfile does not contain recipe",
        ),
    ),
    Late(r"^mise ERROR (?:no tasks?|task not found)", needs=("mise ERROR no task|mise ERROR task not found",)),
    Late(
        r'^task: (?:Task ".{1,80}" (?:is up to date|does not exist)|No Taskfile found)',
        needs=("task: ", 'No Taskfile found|Task "'),
    ),
    Late(r"^Don't know how to build task", needs=("Don't know how to build task",)),
    Late(r"^rake aborted!\s*Don't know", needs=("rake aborted!", "Don't know")),
    Late(r"^npm (?:ERR!|error) +[Mm]issing script:", needs=("npm ERR!|npm error", "Missing script:|missing script:")),
    Late(
        r"^(?:Error:)?\s{0,2}ERR_PNPM_(?:RECURSIVE_RUN_)?NO_SCRIPT",
        needs=("ERR_PNPM_NO_SCRIPT|ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT",),
    ),
    Late(
        r'^note: a package\.json script ".{1,80}" was not found',
        needs=('note: a package.json script "', '" was not found'),
    ),
    Late(
        r'^None of the selected packages has a ".{1,80}" script',
        needs=('None of the selected packages has a "', '" script'),
    ),
    Late(r"^No projects matched the filters", needs=("No projects matched the filters",)),
    Late(
        r'^error (?:Command|Missing script) ".{1,80}" not found',
        needs=('" not found', 'error Command "|error Missing script "'),
    ),
    Late(
        r"^Usage Error: Couldn't find a (?:script|package)",
        needs=("Usage Error: Couldn't find a package|Usage Error: Couldn't find a script",),
    ),
    Late(r'^error: (?:Script not found|missing script:?) "', needs=("Script not found|missing script",)),
    Late(r"^Error: no test specified$", needs=("Error: no test specified",)),
    Late(r"^Could not find task `?.{1,80}", needs=("Could not find task ",)),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    none, failed = text.possible(_NOTHING), text.possible(_FAILED)
    if not none and not failed:
        return
    nothing = False
    for index, line in text.having(
        "make",
        "ecipe",
        "task",
        "rake",
        "npm ",
        "pnpm",
        "PNPM",
        "ELIFECYCLE",
        "rror",
        "Script",
        "script",
        "No projects",
        "not found",
        "ustfile",
        "did NOT",
    ):
        if first_match(none, line):
            nothing = True
            yield closing(_runner(line), line, index, vacuous="nothing was run", wrapper=True)
        elif not nothing and first_match(failed, line):
            yield closing(_runner(line), line, index, failed=True, wrapper=True)


def _runner(line: str) -> str:
    lower = line.lower()
    for word in ("make", "mise", "pnpm", "npm", "recipe", "rake", "script", "task"):
        if word in lower:
            return {"recipe": "just", "script": "bun"}.get(word, word)
    return "yarn"
