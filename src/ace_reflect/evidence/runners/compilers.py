"""Builds: compilers, bundlers and build tools, by the line with which they close or the error they print."""

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text, first_match
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILED = (
    Late(
        r"^\S.{0,250}?(?:\(\d{1,7},\d{1,5}\)|:\d{1,7}:\d{1,5})(?::| -) (?:fatal )?error(?: (?:TS|CS|FS|BC)\d{3,5})?: ",
        needs=(" - error| - fatal error|: error|: fatal error",),
    ),  # a.ts(1,2): error TS2304: …, a.c:1:2: error: …
    # MSBuild's form, whatever the tool: "a.cpp(12): error C2065: …", "a.obj : error LNK2019: …", "x.targets(72,5): error : …"
    Late(
        r"^ {0,8}\S.{0,250}?(?:\(\d{1,7}(?:,\d{1,5})?\): (?:fatal )?error(?: [A-Z]{1,8}\d{2,5})?| : (?:fatal )?error [A-Z]{1,8}\d{2,5}) ?: ",
        needs=(": error|: fatal error",),
    ),
    Late(r"^(?P<tsc>Found \d{1,6} errors?)(?:\.| in )", needs=("Found ", " error")),
    Late(r"^error TS\d{3,5}: ", needs=("error TS", ": ")),
    Late(
        r"^error(?:\[E\d{4}\])?: (?:could not compile|aborting due to|linking with|failed to (?:run custom build|compile|parse manifest|select a version|resolve))",
        needs=(
            "error",
            ": aborting due to|: could not compile|: failed to compile|: failed to parse manifest|: failed to resolve|: failed to run custom build|: failed to select a version|: linking with",
        ),
    ),
    Late(r"^(?:\./)?[\w./-]{1,200}\.go:\d{1,7}:\d{1,5}: \S", needs=(".go:", ": ")),
    Late(
        r"^(?:clang|gcc|g\+\+|cc|collect2|ld|cc1plus): (?:fatal )?error[: ]",
        needs=(
            "cc1plus: error |cc1plus: error:|cc1plus: fatal error |cc1plus: fatal error:|cc: error |cc: error:|cc: fatal error |cc: fatal error:|clang: error |clang: error:|clang: fatal error |clang: fatal error:|collect2: error |collect2: error:|collect2: fatal error |collect2: fatal error:|g++: error |g++: error:|g++: fatal error |g++: fatal error:|ld: error |ld: error:|ld: fatal error |ld: fatal error:",
        ),
    ),
    Late(r"^[\w./-]{1,200}\.java:\d{1,7}: error: ", needs=(".java:", ": error: ")),
    Late(r"^e: (?:file://)?/?\S{1,250}\.kts?:\d", needs=(".kt:|.kts:", "e: ")),  # kotlinc
    Late(r"^\[error\] +/?\S{1,250}\.(?:scala|java):\d", needs=("[error]", ".java:|.scala:")),
    Late(r"^\[error\] \(.{1,120}\) Compilation failed", needs=("[error] (", ") Compilation failed")),
    Late(r"^FAILED: \S{1,200}", needs=("FAILED: ",)),
    Late(r"^ninja: (?:build stopped|error):", needs=("ninja: build stopped:|ninja: error:",)),
    Late(r"^CMake Error", needs=("CMake Error",)),
    Late(r"^-- Configuring incomplete, errors occurred", needs=("-- Configuring incomplete, errors occurred",)),
    Late(
        r"^(?:\[vite\] )?(?:error during build:|Build failed with \d{1,5} errors?)",
        needs=("Build failed with |error during build:",),
    ),
    Late(r"^✗ Build failed", needs=("✗ Build failed",)),
    Late(r"^(?:webpack .{0,40} )?compiled with \d{1,6} errors?", needs=("compiled with ", " error")),
    Late(
        r"^ERROR in (?:\./|main$|\S{1,200}\.[cm]?[jt]sx?)", needs=("ERROR in ", "./|.cjs|.cts|.js|.mjs|.mts|.ts|main")
    ),
    Late(
        r"^ ?(?:⨯ |Error: )?(?:Failed to compile|Build failed because of webpack errors|Build error occurred|Turbopack build failed)",
        needs=("Build error occurred|Build failed because of webpack errors|Failed to compile|Turbopack build failed",),
    ),
    Late(
        r"^ {0,2}(?:⨯ )?(?:> )?(?:Export encountered (?:an )?errors? on |Error occurred prerendering page |Next\.js build worker exited with code: [1-9])",
        needs=("Export encountered |Error occurred prerendering page |Next.js build worker exited with code: ",),
    ),
    Late(r"^ ?ERROR +\w{1,20} build error", needs=("ERROR", " build error")),  # nuxt, nitro
    Late(r"^\d{1,6}:\d{1,5} {2}Error: .{1,300} {2}\S", needs=("Error: ",)),  # next build's own lint
    Late(r"^ ?> Build error occurred", needs=("> Build error occurred",)),
    Late(r"^.{0,80}[ .]Failed to compile\.$", needs=(" Failed to compile.|.Failed to compile.",)),
    Late(r"^Type error: ", needs=("Type error: ",)),
    Late(r"^(?:✘|X) \[ERROR\] ", needs=("X [ERROR] |✘ [ERROR] ",)),
    Late(r"^\d{1,5} errors?(?: and \d{1,6} warnings?)?$", needs=(" error",)),
    Late(r"^RollupError: ", needs=("RollupError: ",)),
    Late(r"^\[!\] ", needs=("[!] ",)),
    Late(r"^(?:ESM|CJS|DTS|IIFE) (?:Build error|Error)", needs=("Build error|Error", "CJS|DTS|ESM|IIFE")),
    Late(r"^(?:DTS Build error)$", needs=("DTS Build error",)),
    Late(r"^ *Build (?:FAILED\.|failed with \d{1,6} error)", needs=("Build ", "FAILED.|failed with ")),
    Late(
        r"^\*\* (?:BUILD|ARCHIVE|CLEAN) (?:FAILED|INTERRUPTED) \*\*",
        needs=("FAILED|INTERRUPTED", "ARCHIVE|BUILD|CLEAN"),
    ),
    Late(
        r"^(?:\[(?:ERROR|INFO)\] )?(?:BUILD FAIL(?:URE|ED)|COMPILATION ERROR|Failed to execute goal)",
        needs=("BUILD FAILED|BUILD FAILURE|COMPILATION ERROR|Failed to execute goal",),
    ),
    Late(r"^FAILURE: Build failed with an exception\.", needs=("FAILURE: Build failed with an exception.",)),
    Late(r"^(?:ERROR: )?failed to (?:solve|build): ", needs=("failed to build: |failed to solve: ",)),
    Late(r"^ERROR: failed to (?:solve|build)", needs=("ERROR: failed to build|ERROR: failed to solve",)),
    Late(r"^== Compilation error in file", needs=("== Compilation error in file",)),
    Late(r"^\*\* \(Mix\) ", needs=("** (Mix) ",)),
    Late(
        r"^error: (?:emit-module command failed|fatalError|the following build command failed)",
        needs=("error: emit-module command failed|error: fatalError|error: the following build command failed",),
    ),
    Late(r"^The following build commands failed:", needs=("The following build commands failed:",)),  # xcodebuild
    Late(r"^Build Failed$", needs=("Build Failed",)),  # xcbeautify, xcpretty
    Late(r"^Aborted with \d{1,5} warnings? in strict mode", needs=("Aborted with ", " in strict mode")),  # mkdocs
    Late(r"^Target \S{1,200} failed to build", needs=("Target ", " failed to build")),
    Late(r"^ERROR: Build did NOT complete", needs=("ERROR: Build did NOT complete",)),
    Late(r"^Gradle task \S{1,100} failed with exit code", needs=("Gradle task ", " failed with exit code")),
    Late(
        r"^(?:subprocess\.CalledProcessError|ERROR Backend subprocess exited|error: (?:subprocess-exited-with-error|metadata-generation-failed))",
        needs=(
            "ERROR Backend subprocess exited|error: metadata-generation-failed|error: subprocess-exited-with-error|subprocess.CalledProcessError",
        ),
    ),
    Late(
        r"^(?:Error|ERROR): (?:Build failed|Compilation failed|Cannot find module|Module not found)",
        needs=("RROR|rror", "Build failed|Cannot find module|Compilation failed|Module not found"),
    ),
    Late(r"^Module not found: ", needs=("Module not found: ",)),
    Late(r"^make(?:\[\d{1,3}\])?: \*\*\* \[", needs=(": *** [", "make")),
    Late(r"^\[x\] ERROR", needs=("[x] ERROR",)),
    Late(r"^ERROR in src/", needs=("ERROR in src/",)),
    Late(r"^NG\d{3,5}: ", needs=("NG", ": ")),
    Late(r"^Application bundle generation failed", needs=("Application bundle generation failed",)),
    Late(
        r"^ *\[?ERROR\]? (?:\S{1,40} )?(?:task failed|run failed)", needs=("ERROR |ERROR] ", "run failed|task failed")
    ),
    Late(r"^SyntaxError: \S", needs=("SyntaxError: ",)),
    Late(r"^ParseError: ", needs=("ParseError: ",)),
    Late(r"^PHP (?:Parse|Fatal) error: ", needs=("PHP Fatal error: |PHP Parse error: ",)),
)
_PASSED = (
    Late(
        r"^ *Finished (?:`?(?:dev|release|test|bench|debug)\S*) .{0,60}target",
        needs=(
            "target",
            "Finished `bench|Finished `debug|Finished `dev|Finished `release|Finished `test|Finished bench|Finished debug|Finished dev|Finished release|Finished test",
        ),
    ),  # cargo
    Late(
        r"^(?:✓|✔) (?:built in |Compiled |Built build/|Build complete)",
        needs=("Build complete|Built build/|Compiled |built in ",),
    ),  # vite, next, flutter
    Late(r"^(?:webpack .{0,40} )?compiled (?:successfully|with \d{1,6} warnings?) in ", needs=("compiled ", " in ")),
    Late(
        r"^ ?(?:Compiled successfully|✓ Compiled successfully|✓ Generating static pages|Creating an optimized production build.{0,3}\nCompiled)",
        needs=("Compiled successfully|Creating an optimized production build|✓ Generating static pages",),
    ),
    Late(r"^ *⚡ ?Done in \d", needs=("⚡ Done in |⚡Done in ",)),
    Late(r"^(?:ESM|CJS|DTS|IIFE)? ?⚡️? Build success in ", needs=("⚡ Build success in |⚡️ Build success in ",)),
    Late(r"^created \S.{0,200} in [\d.]{1,10}m?s$", needs=("created ", " in ")),
    Late(r"^(?:▸ )?Build Succeeded$", needs=("Build Succeeded",)),  # xcbeautify, xcpretty
    Late(r"^ *Build succeeded(?: in |\.| with \d{1,6} warning)", needs=("Build succeeded",)),
    Late(r"^(?:\[INFO\] )?BUILD SUCCESS(?:FUL)?\b", needs=("BUILD SUCCESS",)),
    Late(
        r"^\*\* (?:BUILD|ARCHIVE|ANALYZE) SUCCEEDED \*\*",
        needs=("** ANALYZE SUCCEEDED **|** ARCHIVE SUCCEEDED **|** BUILD SUCCEEDED **",),
    ),
    Late(r"^Build complete!", needs=("Build complete!",)),
    Late(r"^Successfully (?:built|tagged) \S", needs=("Successfully built |Successfully tagged ",)),
    Late(r"^#\d{1,4} (?:DONE|exporting to image)", needs=(" DONE| exporting to image",)),
    Late(r"^Successfully compiled ", needs=("Successfully compiled ",)),
    Late(r"^INFO: Build completed successfully", needs=("INFO: Build completed successfully",)),
    Late(r"^\[success\] Total time:", needs=("[success] Total time:",)),
    Late(r"^Found 0 errors(?:\.| )(?: ?Watching)?", needs=("Found 0 errors |Found 0 errors.",)),
    Late(r"^Application bundle generation complete\.", needs=("Application bundle generation complete.",)),
    Late(r"^(?:\[build\]|\d\d:\d\d:\d\d \[build\]) Complete!", needs=(" Complete!", "[build]")),
    Late(r"^Done in [\d.]{1,10}(?:m?s| ?s)\.?$", needs=("Done in ",)),
    Late(r"^Generated \w{1,60} app$", needs=("Generated ", " app")),
    Late(r"^make(?:\[\d{1,3}\])?: Nothing to be done", needs=(": Nothing to be done", "make")),
    Late(r"^ninja: no work to do\.", needs=("ninja: no work to do.",)),
    Late(
        r"^-- (?:Generating done|Build files have been written)",
        needs=("-- Build files have been written|-- Generating done",),
    ),
    Late(r"^\[100%\] Built target ", needs=("[100%] Built target ",)),
)
_FAILED_SIGNS = (
    "Failed", "Aborted", "rror", "ERR", "FAIL", "ailed", "stopped", "Found ", ".go:", "incomplete", "subprocess", "Module not found", "[!]", "e: ", "INTERRUPTED", "make",
    "** (Mix)", "NG", "failed",
)  # fmt: skip
_PASSED_SIGNS = (
    "Finished ", "built in", "ompiled", "Built ", "omplete", "Done in", "uccess", "created ", "UCCE", "Found 0", "DONE", "Nothing to be", "no work", "Generat",
    "Build files",
    "ucceeded", "Succeeded",
)  # fmt: skip
#: MSBuild closes with its counts of warnings and of errors, a blank line and the time, in any language.
_ELAPSED = Late(r"^\D{1,40}\d\d:\d\d:\d\d[.,]\d\d$", needs=(":", ".|,"))
_COUNT = Late(r"^ {4}(\d{1,6}) \D{1,40}$", needs=(" ",))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    failed = text.possible(_FAILED) if text.holds(_FAILED_SIGNS) else ()
    passed = text.possible(_PASSED) if text.holds(_PASSED_SIGNS) else ()
    for index, line in text.having(*_FAILED_SIGNS) if failed else ():
        match = first_match(failed, line)
        if match and not (match.lastgroup == "tsc" and line.startswith("Found 0")):
            yield closing("build", line, index, failed=True)
    for index, line in text.having(*_PASSED_SIGNS) if passed else ():
        if first_match(passed, line):
            yield closing("build", line, index, open_ended=True)
    yield from _msbuild(text) if _ELAPSED.may_match(text.whole) else ()


def _msbuild(text: Text) -> "Iterator[Summary]":
    for index, line in text.having(":"):
        if index > 1 and not text.lines[index - 1] and _ELAPSED.match(line):
            errors = _COUNT.match(text.lines[index - 2])
            if errors:
                failed = errors[1] != "0"
                yield closing("build", errors[0], index - 2, failed=failed, open_ended=not failed)
