"""Builds: compilers, bundlers and build tools, by the line with which they close or the error they print."""

import re

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = Late(
    r"""
      ^\S.{0,250}?(?:\(\d{1,7},\d{1,5}\)|:\d{1,7}:\d{1,5})(?::|[ ]-)[ ](?:fatal[ ])?error(?:[ ](?:TS|CS|FS|BC)\d{3,5})?:[ ]   # a.ts(1,2): error TS2304: …, a.c:1:2: error: …
    | ^(?P<tsc>Found[ ]\d{1,6}[ ]errors?)(?:\.|[ ]in[ ])
    | ^error[ ]TS\d{3,5}:[ ]
    | ^error(?:\[E\d{4}\])?:[ ](?:could[ ]not[ ]compile|aborting[ ]due[ ]to|linking[ ]with|failed[ ]to[ ](?:run[ ]custom[ ]build|compile|parse[ ]manifest|select[ ]a[ ]version|resolve))
    | ^(?:\./)?[\w./-]{1,200}\.go:\d{1,7}:\d{1,5}:[ ]\S
    | ^(?:clang|gcc|g\+\+|cc|collect2|ld|cc1plus):[ ](?:fatal[ ])?error[: ]
    | ^[\w./-]{1,200}\.java:\d{1,7}:[ ]error:[ ]
    | ^e:[ ](?:file://)?/?\S{1,250}\.kts?:\d                                        # kotlinc
    | ^\[error\][ ]+/?\S{1,250}\.(?:scala|java):\d | ^\[error\][ ]\(.{1,120}\)[ ]Compilation[ ]failed
    | ^FAILED:[ ]\S{1,200} | ^ninja:[ ](?:build[ ]stopped|error):
    | ^CMake[ ]Error | ^--[ ]Configuring[ ]incomplete,[ ]errors[ ]occurred
    | ^(?:\[vite\][ ])?(?:error[ ]during[ ]build:|Build[ ]failed[ ]with[ ]\d{1,5}[ ]errors?) | ^✗[ ]Build[ ]failed
    | ^(?:webpack[ ].{0,40}[ ])?compiled[ ]with[ ]\d{1,6}[ ]errors? | ^ERROR[ ]in[ ](?:\./|main$|\S{1,200}\.[cm]?[jt]sx?)
    | ^[ ]?(?:⨯[ ]|Error:[ ])?(?:Failed[ ]to[ ]compile|Build[ ]failed[ ]because[ ]of[ ]webpack[ ]errors|Build[ ]error[ ]occurred|Turbopack[ ]build[ ]failed)
    | ^[ ]?>[ ]Build[ ]error[ ]occurred | ^.{0,80}[ .]Failed[ ]to[ ]compile\.$ | ^Type[ ]error:[ ]
    | ^(?:✘|X)[ ]\[ERROR\][ ] | ^\d{1,5}[ ]errors?(?:[ ]and[ ]\d{1,6}[ ]warnings?)?$ | ^RollupError:[ ] | ^\[!\][ ]
    | ^(?:ESM|CJS|DTS|IIFE)[ ](?:Build[ ]error|Error) | ^(?:DTS[ ]Build[ ]error)$
    | ^[ ]*Build[ ](?:FAILED\.|failed[ ]with[ ]\d{1,6}[ ]error)
    | ^\*\*[ ](?:BUILD|ARCHIVE|CLEAN)[ ](?:FAILED|INTERRUPTED)[ ]\*\*
    | ^(?:\[(?:ERROR|INFO)\][ ])?(?:BUILD[ ]FAIL(?:URE|ED)|COMPILATION[ ]ERROR|Failed[ ]to[ ]execute[ ]goal)
    | ^FAILURE:[ ]Build[ ]failed[ ]with[ ]an[ ]exception\.
    | ^(?:ERROR:[ ])?failed[ ]to[ ](?:solve|build):[ ] | ^ERROR:[ ]failed[ ]to[ ](?:solve|build)
    | ^==[ ]Compilation[ ]error[ ]in[ ]file | ^\*\*[ ]\(Mix\)[ ]
    | ^error:[ ](?:emit-module[ ]command[ ]failed|fatalError|the[ ]following[ ]build[ ]command[ ]failed)
    | ^Target[ ]\S{1,200}[ ]failed[ ]to[ ]build | ^ERROR:[ ]Build[ ]did[ ]NOT[ ]complete
    | ^Gradle[ ]task[ ]\S{1,100}[ ]failed[ ]with[ ]exit[ ]code
    | ^(?:subprocess\.CalledProcessError|ERROR[ ]Backend[ ]subprocess[ ]exited|error:[ ](?:subprocess-exited-with-error|metadata-generation-failed))
    | ^(?:Error|ERROR):[ ](?:Build[ ]failed|Compilation[ ]failed|Cannot[ ]find[ ]module|Module[ ]not[ ]found)
    | ^Module[ ]not[ ]found:[ ] | ^make(?:\[\d{1,3}\])?:[ ]\*\*\*[ ]\[
    | ^\[x\][ ]ERROR | ^ERROR[ ]in[ ]src/ | ^NG\d{3,5}:[ ] | ^Application[ ]bundle[ ]generation[ ]failed
    | ^[ ]*\[?ERROR\]?[ ](?:\S{1,40}[ ])?(?:task[ ]failed|run[ ]failed)
    | ^SyntaxError:[ ]\S | ^ParseError:[ ] | ^PHP[ ](?:Parse|Fatal)[ ]error:[ ]
    """,
    re.VERBOSE,
    needs=(
        "** (Mix) |.go:|.java:|.kt:|.kts:|: *** [|Application bundle generation failed|BUILD FAILURE|Build |FAILED|Failed to compile|Failed to execute goal|Found |Gradle task |INTERRUPTED|Module not found: |NG|RROR|Target |Turbopack build failed|[!] |compiled with |failed to build: |failed to solve: |ninja: build stopped:|rror",
    ),
)
_PASSED = Late(
    r"""
      ^[ ]*Finished[ ](?:`?(?:dev|release|test|bench|debug)\S*)[ ].{0,60}target                       # cargo
    | ^(?:✓|✔)[ ](?:built[ ]in[ ]|Compiled[ ]|Built[ ]build/|Build[ ]complete)                       # vite, next, flutter
    | ^(?:webpack[ ].{0,40}[ ])?compiled[ ](?:successfully|with[ ]\d{1,6}[ ]warnings?)[ ]in[ ]
    | ^[ ]?(?:Compiled[ ]successfully|✓[ ]Compiled[ ]successfully|✓[ ]Generating[ ]static[ ]pages|Creating[ ]an[ ]optimized[ ]production[ ]build.{0,3}\nCompiled)
    | ^[ ]*⚡[ ]?Done[ ]in[ ]\d | ^(?:ESM|CJS|DTS|IIFE)?[ ]?⚡️?[ ]Build[ ]success[ ]in[ ] | ^created[ ]\S.{0,200}[ ]in[ ][\d.]{1,10}m?s$
    | ^[ ]*Build[ ]succeeded(?:[ ]in[ ]|\.|[ ]with[ ]\d{1,6}[ ]warning)
    | ^(?:\[INFO\][ ])?BUILD[ ]SUCCESS(?:FUL)?\b
    | ^\*\*[ ](?:BUILD|ARCHIVE|ANALYZE)[ ]SUCCEEDED[ ]\*\* | ^Build[ ]complete!
    | ^Successfully[ ](?:built|tagged)[ ]\S | ^\#\d{1,4}[ ](?:DONE|exporting[ ]to[ ]image) | ^Successfully[ ]compiled[ ]
    | ^INFO:[ ]Build[ ]completed[ ]successfully | ^\[success\][ ]Total[ ]time:
    | ^Found[ ]0[ ]errors(?:\.|[ ])(?:[ ]?Watching)? | ^Application[ ]bundle[ ]generation[ ]complete\.
    | ^(?:\[build\]|\d\d:\d\d:\d\d[ ]\[build\])[ ]Complete! | ^Done[ ]in[ ][\d.]{1,10}(?:m?s|[ ]?s)\.?$ | ^Generated[ ]\w{1,60}[ ]app$
    | ^make(?:\[\d{1,3}\])?:[ ]Nothing[ ]to[ ]be[ ]done | ^ninja:[ ]no[ ]work[ ]to[ ]do\. | ^--[ ](?:Generating[ ]done|Build[ ]files[ ]have[ ]been[ ]written)
    | ^\[100%\][ ]Built[ ]target[ ]
    """,
    re.VERBOSE,
    needs=(
        " Complete!| DONE| exporting to image|** ANALYZE SUCCEEDED **|** ARCHIVE SUCCEEDED **|** BUILD SUCCEEDED **|-- Build files have been written|-- Generating done|: Nothing to be done|Application bundle generation complete.|BUILD SUCCESS|Build complete|Build succeeded|Built build/|Compiled |Creating an optimized production build|Done in |Found 0 errors |Found 0 errors.|Generated |Successfully built |Successfully tagged |[success] Total time:|built in |compiled |created |ninja: no work to do.|target|⚡ Build success in |⚡️ Build success in |✓ Generating static pages",
    ),
)
_FAILED_SIGNS = (
    "rror", "ERR", "FAIL", "ailed", "stopped", "Found ", ".go:", "incomplete", "subprocess", "Module not found", "[!]", "e: ", "INTERRUPTED", "make",
    "** (Mix)", "NG", "failed",
)  # fmt: skip
_PASSED_SIGNS = (
    "Finished ", "built in", "ompiled", "Built ", "omplete", "Done in", "uccess", "created ", "UCCE", "Found 0", "DONE", "Nothing to be", "no work", "Generat",
    "Build files",
    "ucceeded",
)  # fmt: skip


def read(text: Text, hinted: bool) -> "Iterator[Summary]":  # noqa: ARG001 - every family's reader has the same form
    for index, line in text.having(*_FAILED_SIGNS):
        match = _FAILED.match(line)
        if match and not (match["tsc"] and match["tsc"].startswith("Found 0")):
            yield closing("build", line, index, failed=True)
    for index, line in text.having(*_PASSED_SIGNS):
        if _PASSED.match(line):
            yield closing("build", line, index, passed=True, open_ended=True)
