"""What make, just, mise, npm and their like say of the command they ran. They have no tests of their own."""

import re

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = Late(
    r"""
      ^g?make(?:\[\d{1,3}\])?:[ ]\*\*\*[ ]\[.{1,200}\][ ]?(?:Error[ ]\d{1,3}|.{1,40})$   # make: *** [Makefile:3: test] Error 1
    | ^error:[ ][Rr]ecipe[ ]`.{1,80}`[ ](?:failed|was[ ]terminated)                        # just
    | ^(?:\[[\w:./-]{1,80}\][ ])?(?:mise[ ])?ERROR[ ]task[ ]failed | ^ERROR[ ]task[ ]failed     # mise
    | ^task:[ ]Failed[ ]to[ ]run[ ]task[ ]                                                  # go-task
    | ^rake[ ]aborted!                                                                      # rake
    | ^npm[ ](?:ERR!|error)[ ](?:Test[ ]failed|Lifecycle[ ]script[ ]`.{1,80}`[ ]failed|code[ ]ELIFECYCLE|code[ ]\d{1,3}$|Exit[ ]status[ ]\d|command[ ]failed)
    | ^\[?\s{0,2}ELIFECYCLE\]?\s{1,3}(?:Test|Command)[ ]failed                                        # pnpm
    | ^(?:Error:)?\s{0,2}ERR_PNPM_RECURSIVE_(?:(?:RUN|EXEC)_FIRST_)?FAIL
    | ^error[ ]Command[ ]failed[ ]with[ ](?:exit[ ]code|signal)[ ]                           # yarn 1
    | ^error:[ ]script[ ]".{1,80}"[ ](?:exited[ ]with[ ]code|was[ ]terminated[ ]by[ ]signal) # bun
    | ^Script[ ].{1,200}[ ]handling[ ]the[ ].{1,80}[ ]event[ ]returned[ ]with[ ]error[ ]code # composer
    | ^Error:[ ]Subprocess[ ]aborted[ ]by[ ]signal                                          # poe
    | ^(?:ERROR|FAILED):[ ].{0,80}[ ](?:Build|build)[ ]did[ ]NOT[ ]complete                 # bazel
    """,
    re.VERBOSE,
    needs=(
        ': *** [|ELIFECYCLE|ERROR task failed|ERROR: |ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL|ERR_PNPM_RECURSIVE_FAIL|ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL|Error: Subprocess aborted by signal|FAILED: |Script |error Command failed with exit code |error Command failed with signal |error: Recipe `|error: recipe `|error: script "|npm ERR! |npm error |rake aborted!|task: Failed to run task ',
    ),
)
_NOTHING = Late(
    r"""
      ^g?make(?:\[\d{1,3}\])?:[ ]\*\*\*[ ]No[ ](?:rule[ ]to[ ]make[ ]target|targets[ ]specified|targets\.)
    | ^g?make(?:\[\d{1,3}\])?:[ ](?:Nothing[ ]to[ ]be[ ]done[ ]for|['`].{1,80}'[ ]is[ ]up[ ]to[ ]date)
    | ^error:[ ](?:[Jj]ustfile[ ]does[ ]not[ ]contain[ ]recipe|No[ ]justfile[ ]found)
    | ^mise[ ]ERROR[ ](?:no[ ]tasks?|task[ ]not[ ]found)
    | ^task:[ ](?:Task[ ]".{1,80}"[ ](?:is[ ]up[ ]to[ ]date|does[ ]not[ ]exist)|No[ ]Taskfile[ ]found)
    | ^Don't[ ]know[ ]how[ ]to[ ]build[ ]task | ^rake[ ]aborted!\s*Don't[ ]know
    | ^npm[ ](?:ERR!|error)[ ]+[Mm]issing[ ]script:
    | ^(?:Error:)?\s{0,2}ERR_PNPM_NO_SCRIPT | ^note:[ ]a[ ]package\.json[ ]script[ ]".{1,80}"[ ]was[ ]not[ ]found | ^None[ ]of[ ]the[ ]selected[ ]packages[ ]has[ ]a[ ]".{1,80}"[ ]script | ^No[ ]projects[ ]matched[ ]the[ ]filters
    | ^error[ ](?:Command|Missing[ ]script)[ ]".{1,80}"[ ]not[ ]found | ^Usage[ ]Error:[ ]Couldn't[ ]find[ ]a[ ](?:script|package)
    | ^error:[ ](?:Script[ ]not[ ]found|missing[ ]script:?)[ ]"
    | ^Error:[ ]no[ ]test[ ]specified$
    | ^Could[ ]not[ ]find[ ]task[ ]`?.{1,80}
    """,
    re.VERBOSE,
    needs=(
        "\" not found|Could not find task |Don't know how to build task|ERR_PNPM_NO_SCRIPT|Error: no test specified|No projects matched the filters|None of the selected packages has a \"|Script not found|Usage Error: Couldn't find a package|Usage Error: Couldn't find a script|error: Justfile does not contain recipe|error: No justfile found|error: justfile does not contain recipe|make|mise ERROR no task|mise ERROR task not found|missing script|note: a package.json script \"|npm ERR!|npm error|rake aborted!|task: ",
    ),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":  # noqa: ARG001 - every family's reader has the same form
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
        if _NOTHING.match(line):
            nothing = True
            yield closing(_runner(line), line, index, vacuous="nothing was run", wrapper=True)
        elif not nothing and _FAILED.match(line):
            yield closing(_runner(line), line, index, failed=True, wrapper=True)


def _runner(line: str) -> str:
    lower = line.lower()
    for word in ("make", "mise", "pnpm", "npm", "recipe", "rake", "script", "task"):
        if word in lower:
            return {"recipe": "just", "script": "bun"}.get(word, word)
    return "yarn"
