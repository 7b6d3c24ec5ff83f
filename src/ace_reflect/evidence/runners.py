"""What runners, builds and checkers print: closing lines (`SUMMARIES`), verdicts (`SAID`, `CHECKED`), that nothing began (`NEVER`)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from ace_reflect.evidence.facts import Counts, Outcome
from ace_reflect.text import shortened
from ace_reflect.values import Value

#: runners ~ marks ~ whole words, small, of which one is in the line ~ the closing line (see CONTRIBUTING). In the line,
#: `#` is a number, `@` a list of counts ("2 failed, 3 passed"), `&` one of verdicts, `%` what may lead a line. Groups: `c`
#: where the counts stand; `passed`, `failed`, `skipped`, `total` single numbers; `bad` it failed, `none` nothing ran.
#: Marks: < "failed: 2" for "2 failed"; b one count a line; o one of several (a package); w about what others ran; p of one
#: test or file; + the same, counted where no closing line has counts; l its last one holds; 2 only where it counts failures
#: and others; ? asked only where nobody else told of a run.
SUMMARIES = r"""
pytest ~ p ~ keyboardinterrupt ~ !{3,} .*KeyboardInterrupt !{3,}\n(?:.*\n){0,2}=+ (?P<c>&) in .* =+$
pytest ~ - ~ in ~ =*[ ]?(?:(?P<c>&)|(?P<none>no tests (?:ran|collected))(?:, # (?P<bad>errors?))?) in [\d:.]{1,12} ?s?(?:econds)?(?: \([\w:, ]{1,30}\))?[ ]?=*$
pytest ~ - ~ collected ~ =*[ ]?(?P<none>(?:no tests|(?:#/)?# tests?) collected)(?: \(# deselected\))?(?:, # (?P<bad>errors?))? in .{1,100}$
pytest ~ p+ ~ failed,error,passed ~ (?:\[gw\d+\] \[ *\d+\x25\] )?(?:(?P<bad>FAILED|ERROR) \S[^ \n]*?(?:::|\.py)|\S+::\S.{0,200}? (?:PASSED|(?P<bad2>FAILED|ERROR))(?: +\[ *\d+\x25\])?$)
unittest django nose nose2 green ~ < ~ ran ~ Ran (?P<total>#) tests?(?: in [\d.]+s)?(?: using # processes?)?\.?\n(?:.*\n){0,5}?(?:OK|PASSED|(?P<none>NO TESTS RAN)|(?P<bad>FAILED))(?: \((?P<c>[\w =,]{1,200})\))?$
unittest ~ < ~ failures,errors,skipped,successes ~ (?P<bad>FAILED) \((?P<c>(?:[a-z ]{4,22}=#(?:, )?){1,6})\)$
unittest django ~ - ~ ok,failed ~ (?:OK|(?P<bad>FAILED))(?: \(.{1,200}\))?\nDestroying test database .*
jest react-scripts pest artisan phpunit ~ - ~ tests ~ (?:Test Suites:[ \t]{1,6}(?P<bad>[1-9]\d* failed)?.*\n)?[ \t]{0,4}Tests:[ \t]{1,12}(?P<c>@)(?: \(.*)?$
jest ~ - ~ suites ~ Test Suites:[ \t]{1,6}(?:(?P<bad># failed)|.*# passed|(?P<none>.)).*total
vitest ~ - ~ files ~ [ ]{0,12}Test Files {2,6}(?:(?P<bad># failed)|(?P<none>no tests))?.*(?:\n +Tests {2,6}(?:(?P<c>@)|(?P<none2>no tests)).*)?(?:\n+ *(?P<bad2>(?:Type )?Errors {2,6}[1-9]).*)?
vitest ~ - ~ tests ~ [ ]{0,12}Tests {1,6}(?:(?P<c>@)(?: \(#\))?|(?P<none>no tests))$(?:\n+ *(?P<bad>Errors {2,6}[1-9].*))?
mocha hardhat ava bun pytest ~ b ~ pass,passing,passed,fail,failing,failed,skip,skipped,pending,todo,filtered,remaining,failure,failures,exception,exceptions,rejection,rejections,deselected,xfailed,xpassed,rerun ~ [^\w\n]{0,10}(?P<number>#) (?P<word>passing|failing|pending|pass|fail|skip|todo|filtered out|(?:tests? )?(?:passed|failed|skipped|todo|remaining|remained pending)|known failures?|uncaught exceptions?|unhandled rejections?|hooks? failed|deselected|xfailed|xpassed|rerun)(?: after a timeout)?(?: \([\w. ]{1,20}\))?$
bun ~ p ~ ran ~ Ran (?P<total>#) tests? across # files?\.
playwright ~ - ~ error,syntaxerror,typeerror,referenceerror ~ (?:[A-Z]\w{0,40})?Error: (?!No tests).*\n(?:.*\n){0,40}?(?P<bad>Error: No tests found)
playwright ~ b ~ passed,failed,skipped,flaky,did,interrupted,part ~ [ ]{2}(?P<number>#) (?P<word>(?:passed|failed|skipped|flaky|did not run|interrupted)(?=(?: \([\d.]{1,8}(?:ms|s|m|h)\))?$)|errors? (?:was|were) not a part of any test)
cypress ~ - ~ specs,failed ~ [ ]*(?:[✔✖√×] +)?(?:All specs passed!|(?P<bad># of # failed) \(\d{1,3}\x25\)) +[\d:ms-]{1,12} +(?P<total>[\d-]{1,6}) +(?P<passed>[\d-]{1,6}) +(?P<failed>[\d-]{1,6}) +(?P<skipped>[\d-]{1,6}) +[\d-]{1,6}$
wdio ~ w ~ spec ~ Spec Files:[ \t]{1,6}(?:# passed, )?(?P<bad># failed)?.*total
node node_test ~ b< ~ tests,pass,fail,cancelled,skipped,skip,todo ~ (?:ℹ|\x23|i) {1,2}(?P<word>tests|pass|fail|cancelled|skipped|skip|todo) {1,2}(?P<number>#)$
prove ~ - ~ tests,result ~ (?:Files=#, Tests=(?P<total>#),.*\n)?Result: (?:PASS|(?P<bad>FAIL)|(?P<none>NOTESTS))$
karma jasmine ng ~ l ~ executed ~ (?:.{3,80}: )?Executed (?:(?P<none>0) of|(?P<total>#) of # ?(?:\((?P<failed>#) FAILED\))? ?(?:\(skipped (?P<skipped>#)\))? ?(?:SUCCESS|(?P<bad>ERROR|DISCONNECTED)|\())
karma ~ l ~ total ~ TOTAL: @$
deno ~ - ~ passed ~ (?:test result: )?(?:ok|(?P<bad>FAILED)) \| (?P<c># passed.*)
cargo ~ o ~ result ~ (?: *# )?test result: (?:ok|(?P<bad>FAILED))\. (?P<c>.*)
cargo nextest ~ - ~ summary ~ [ ]*Summary \[ *[\d.]{1,12}s\] +#(?:/#)? tests? run: (?P<c>.*)
go gotestsum ginkgo ~ o ~ ok ~ ok[ \t]{1,6}\S+[ \t]{1,4}(?:[\d.]{1,12}s|\(cached\))(?:[ \t](?:.*(?P<none>\[no tests to run\]))?.*)?$
go gotestsum ginkgo ~ o ~ fail ~ (?P<bad>FAIL)[ \t]{1,4}\S+(?:[ \t]{1,4}(?:[\d.]{1,12}s|\(cached\))|[ \t]\[(?:build|setup) failed\])
go ~ o ~ files,statements ~ (?P<none>\?[ \t]{1,8}\S+[ \t]{1,4}\[no test files\]|\t\S+\t\tcoverage: 0\.0% of statements)
go ~ p+ ~ pass,fail,skip ~ --- (?:PASS|(?P<bad>FAIL)|(?P<skip>SKIP)): \S+ \([\d.]{1,12}s\)
go ~ p+ ~ action ~ \{.{0,200}?"Action":"(?:pass|(?P<bad>fail)|(?P<skip>skip))".*"Test":"
go ~ o ~ elapsed ~ \{(?!.*"Test":").{0,200}?"Action":"(?:pass|(?P<bad>fail)|(?P<none>skip))"
gotestsum ~ - ~ done ~ DONE (?P<c># tests?(?:, # skipped)?(?:, # failures?)?(?:, # errors?)?) in [\d.]{1,12}s$
ginkgo go ~ o ~ pending ~ (?:SUCCESS|(?P<bad>FAIL))! -- (?P<c>@)
mvn maven ~ <o ~ failures ~ (?:\[\w+\] *)?(?P<c>Tests run: *#, +Failures: *#(?:, +Errors: *#)?(?:, +Skipped: *#)?)$
gradle gradlew ~ o ~ completed ~ # tests? completed(?:, # failed)?(?:, # skipped)?$
gradle gradlew ~ o ~ task,test ~ (?:> Task )?:(?:[\w.-]{1,80}:){0,8}(?!compile|process)\w{0,40}[tT]est(?: UP-TO-DATE| FROM-CACHE| (?P<none>NO-SOURCE|SKIPPED)| (?P<bad>FAILED))?$
junit ~ b ~ tests ~ \[ {1,12}(?P<number>#) tests (?P<word>found|skipped|aborted|successful|failed) {1,12}\]$
phpunit ~ < ~ assertions ~ (?P<c>Tests: #, Assertions: #.*)\.$
phpunit junit ~ - ~ test,tests ~ OK \((?P<passed>#) tests?(?:, # assertions?)?\)$
dotnet ~ < ~ summary,successful,failed,aborted ~ [ ]*(?:Test run summary: (?:Passed|(?P<bad>Failed|Aborted)|(?P<none>Zero))|Test Run (?:Successful|(?P<bad2>Failed|Aborted))).*(?P<c>(?:\n *[A-Za-z ]{4,14}: +#\s*$){0,6})
ctest ~ - ~ out ~ \d{1,3}\x25 tests passed(?:, (?P<failed>#) tests? failed)? out of (?P<total>#)$
gtest ~ b< ~ passed,failed,skipped ~ \[ {2}(?P<word>PASSED|FAILED|SKIPPED) {1,2}\] (?P<number>#) tests?(?:\(s\))?(?:\.|, listed below:)$
catch2 ~ - ~ case,cases ~ (?:All tests passed \(# assertions? in (?P<passed>#) test cases?\)|(?:\[doctest\] )?test cases: +#(?P<c>(?: +\| +# [a-z]{4,10}(?: as expected)?){1,5}).*)$
cunit ~ - ~ tests ~ [ ]+tests +# +# +(?P<passed>#) +(?P<failed>#) +\S+$
swift xcodebuild xctest ~ l ~ executed ~ [ \t]{0,2}Executed (?P<total>#) tests?, with (?:(?P<skipped>#) tests? skipped and )?(?P<failed>#) failures? \(
swift ~ l ~ after ~ \W{0,5}Test run with (?P<total>#) tests? (?:in # suites? )?(?:passed|(?P<bad>failed)) after
dart flutter ~ - ~ tests ~ (?:\d{1,3}:)?\d\d:\d\d \+(?P<passed>#)(?: ~(?P<skipped>#))?(?: -(?P<failed>#))?: (?:All tests (?:passed!|skipped\.)|(?P<bad>Some tests failed)\.|(?P<none>No tests ran)\.)$
clojure lein ~ - ~ ran ~ Ran (?P<total>#) tests containing # assertions\.\n(?:.*\n)?(?P<c># failures?, # errors?)\.$
emacs ~ - ~ expected ~ Ran (?P<total>#) tests?, # results? as expected(?P<c>(?:, # unexpected)?(?:, # skipped)?)
cabal stack ~ w ~ suites ~ (?P<ok>#) of (?:(?P=ok)|(?P<bad>#)) test suites \(# of # test cases\) passed\.$
tasty ~ - ~ tests ~ (?:[\w-]{1,60}> )?(?:All (?P<passed>#) tests passed|(?P<failed>#) out of (?P<total>#) tests failed) \([\d.:hms]{1,16}\)$
hunit ~ <l ~ cases ~ .*(?P<c>Tried: # +Errors: # +Failures: #)$
dune ~ - ~ run ~ (?:Test Successful|(?P<failed>#) (?:failures?|errors?)!) in [\d.]{1,12}s\. (?P<total>#) tests? run\.$
dune ~ < ~ ran ~ Ran: (?P<total>#) tests in: [\d.]{1,12} seconds\.\n(?:OK|(?P<bad>FAILED): Cases: # Tried: # (?P<c>Errors: # Failures: # Skip: +#).*)
cucumber cucumber-js ~ - ~ scenario,scenarios ~ (?:# [Ss]cenarios? \((?P<c>@)\)|(?P<none>0 [Ss]cenarios))$
bazel ~ - ~ executed ~ (?:INFO: )?Executed # out of (?P<total>#) tests?: (?P<c>.*)
forge ~ o ~ result ~ Suite result: (?:ok|(?P<bad>FAILED))\. (?P<c>@)
testcafe ~ - ~ passed,failed ~ [ ](?:(?P<passed>#) passed|(?P<failed>#)/(?P<total>#) failed) \([\dhms ]{2,14}\)$
report ~ <o ~ testsuite,counters,testcasecount ~ [ \t]{0,8}<(?:testsuite|Counters|test-run) (?P<c>.*)
json ~ <2 ~ numtotaltests,numfailedtests,numpassedtests,failedtests,passedtests,count,passes,pass,passed,fail,failed,failures,tests,expected ~ .{0,300}?(?P<c>(?:"(?:(?P<bad>(?:numFailedTestSuites|errors_outside_of_examples_count)(?=" ?: ?[1-9])|success(?=" ?: ?f))|\w+)" ?: ?(?:[\d.]+|\w+|"[^"\n]{0,80}"),?\s{0,20}){2,24})
counts ~ b<2 ~ passed,failed,errors,skipped,success,timeout,pass,fail,xfail,xpass,ok,total,skip,error ~ (?:[^\w\n]{1,3})?(?P<word>Passed|Failed|Errors|Skipped|Success|Timeout|Unexpected Success|(?:TOTAL|PASS|SKIP|XFAIL|FAIL|XPASS|ERROR|Ok|Expected Fail|Fail|Unexpected Pass)(?=:)) ?:?[ \t]{1,30}(?P<number>#)[ \t]*$
counts ~ 2 ~ fail,fails,failed,failing,failure,failures,error,errors,errored,invalid,cancelled ~ (?i:%(?P<c># (?:test case|example|test|run|spec|scenario|success|check|assertion|case|doctest|property|propertie)(?:s|es)?(?: passed)?(?:, # assertions?)?(?:,| /|:|\.) &)(?: ?[.;:](?: .*)?| in .*| \(.*|, # (?!error).*)?$)
counts ~ <2 ~ fail,fails,failed,failing,failure,failures ~ (?i:%(?P<c>[a-z][a-z ]{0,24}(?:: {0,10}| |= ?)#(?:(?:[,.;]| \|)? {1,4}[a-z][a-z ]{0,24}(?:: {0,10}| |= ?)#){1,9})\b.*$)
counts ~ ? ~ pass,passed,passes,passing,succeeded,ok,fail,fails,failed,failing,failure,failures ~ (?i:(?:%|.{0,80}: (?=# passed[^\w\n]{1,5}# failed[^\w\n]{1,5}# total))(?P<c>&)(?: \(#\)|.{0,80}(?<= total))?[^\w\n]{0,24}(?: (?:in|from) .*|[(,].*)?$)
"""
_VERDICT = r"(?:\d{1,7}|no) (?:(?:tests?|checks?|cases?|subtests|scenarios?|doctests?) )?(?:pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?(?: occurred outside of examples)?|errored|broken|skip(?:ped|s)?|pending(?: specs?)?|todo|ignored|omissions?|pendings|excluded|invalid|cancelled|not run|deselected|xfailed|xpassed|warnings?|reruns?|subtests|succeeded|success(?:es)?|ok|tests|total)\b"
_COUNT = r"\d{1,7} [A-Za-z]{1,20}(?: [A-Za-z]{1,20}){0,4}"
#: What stands for these in an expression above.
_PIECES = (
    ("@", rf"(?:(?:, | \| |; |\. )?{_COUNT}){{1,10}}"),
    ("&", rf"(?:(?:, | \| |; | / |\. |,? and )?{_VERDICT}){{1,10}}"),
    ("%", r"[^\w\n]{0,24}(?:(?:\d\d:\d\d:\d\d|\d{1,3}\x25|results?|summary|totals?|tests?|test (?:results?|summary|run)|tests (?:passed|failed|finished)|done|final|overall|ok|success|failure|failed|passed|all|error|loaderror|some tests did not pass|synthesis|checks|info|[\w-]{1,40}(?=> ))[^\w\n]{1,6}){0,3}"),
    ("#", r"\d{1,7}"),
)  # fmt: skip
#: What a line says without counts, at its start: runner | how: phrase ~ phrase | how: … In a phrase `…` is anything, `#` a
#: number, `$` the line's end. How: "failed", "passed", "none" (no tests) are the runner's
#: own words, "part" of one of its tests; "task failed", "task passed", "no task" a task runner's about what it was to run.
SAID = """
tasks | none: No tests found! ~ error: 0 test files matching ~ error: regex "…" matched 0 tests ~ The following filters did not match any test files | no task: make: *** No rule to make target ~ make: Nothing to be done for ~ make: '…' is up to date ~ error: justfile does not contain recipe ~ error: Justfile does not contain recipe ~ Usage Error: Couldn't find a script named ~ Command "…" is not defined ~ ERROR  Command "…" is not defined ~ Error: Unrecognized task ~ Task not found: ~ No tasks were executed as part of this run ~ …NX   No tasks were run ~ …No packages found with the lifecycle script ~ …mise ERROR no task ~ task: Task "…" is up to date ~ task: Task "…" does not exist ~ npm error Missing script: ~ Error: no test specified$ ~ > echo "…" && exit 0$ ~ …ERR_PNPM_NO_SCRIPT ~ …ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT ~ None of the selected packages has a "…" script ~ error Command "…" not found ~ note: a package.json script "…" was not found ~ error: Script not found " | task failed: make: *** [ ~ make[#]: *** [ ~ error: recipe `…` failed ~ error: Recipe `…` failed ~ …ERROR task failed ~ task: Failed to run task ~ rake aborted! ~ npm ERR! ~ npm error Lifecycle script `…` failed ~ npm error code # ~ npm error command failed ~ …ELIFECYCLE…Test failed ~ …ELIFECYCLE…Command failed ~ …ERR_PNPM_RECURSIVE_…FAIL ~ error Command failed with ~ error: script "…" exited with code ~ evaluation failed :( ~ …: FAIL code ~ ERROR:…: commands failed ~ nox > * …: failed ~ ERROR  run failed: command ~ Tasks: … completed, # failed ~ …NX…Running target… failed ~ …Lerna (powered by Nx)   Ran target ~ lerna ERR! …exited # | task passed: congratulations :) ~ …: OK ( ~ nox > * …: success ~ Tasks: … completed ~ …NX…Successfully ran target ~ …Lerna (powered by Nx)   Successfully ~ lerna success run Ran npm script | part: (fail)
hooks | none: …est......…Skipped$ | task failed: husky - …script failed ~ husky - …hook exited with code ~ ✗ test ( ~ …[FAILED] jest ~ …[FAILED] vitest ~ …[FAILED] npm test ~ …est......…Failed$ ~ …spec......…Failed$ | passed: …est......…Passed$ ~ …spec......…Passed$
mvn | none: No tests to run. ~ Tests are skipped. ~ Failed to execute goal …No tests were executed ~ Failed to execute goal …there is no POM ~ Unknown lifecycle phase | task failed: BUILD FAILURE ~ Failed to execute goal ~ COMPILATION ERROR | task passed: BUILD SUCCESS$
gradle | task failed: BUILD FAILED | task passed: BUILD SUCCESSFUL | none: > No tests found for given includes ~ Task '…' not found in
dotnet | task failed: Build FAILED. ~ Build failed with # error ~ …: error CS# ~ …: error FS# ~ …: error MSB# | none: No test is available in ~ No test matches the given testcase filter
native | none: error: no tests found ~ Test directory "…" not found. ~ warning: No matching test cases were run ~ xcodebuild: error: Scheme …is not currently configured for the test action ~ No tests were found!!! ~ No tests defined. ~ No test cases matched ~ No tests ran. ~ No tests match ~ ERROR: No test targets were found | failed: *** # failure is detected ~ *** # failures are detected | task failed: ** TEST FAILED ** ~ ** TEST BUILD FAILED ** ~ ** BUILD FAILED ** ~ Test Failed$ ~ Testing failed: ~ error: fatalError ~ error: emit-module command failed ~ error: Exited with ~ error: the following test command ~ ….zig:#:#: error: ~ ERROR:…uild did NOT complete | passed: *** No errors detected ~ Testing … tests passed | task passed: ** TEST SUCCEEDED ** ~ Test Succeeded$ | part: …Test …*** ~ [  FAILED  ] …
cargo | task failed: error: test failed, to rerun pass ~ error: # target failed ~ error: # targets failed ~ error: could not compile ~ error: test run failed$ | none: error: could not find `Cargo.toml` ~ error: no test target ~ error: no tests to run | part: test …... FAILED$
go | task failed: go: updates to go.mod needed ~ go: …missing go.sum entry | part: FAIL$
pytest | failed: ImportError while loading conftest ~ INTERNALERROR> | none: ERROR: file or directory not found ~ ERROR: not found: ~ ERROR: found no collectors ~ …error: unrecognized arguments: ~ collected 0 items | part: !!!… stopping after # failure ~ !!!…# error during ~ !!!…# errors during
javascript | none: No tests found, ~ Pattern: … - 0 matches$ ~ Error: Can't find a root directory while resolving a config ~ ● Validation Error ~ No test files found ~ Error: No test files found ~ …Couldn’t find any files to test ~ …No tests found in ~ No tests found related to ~ Error: No tests found ~ Total: # test…in # file ~ Can't run because ~ No specs found ~ Incomplete: No specs found ~ error: No test modules found | failed: Exception during run: ~ ⨯ Unable to compile TypeScript ~ Error: Timed out waiting …config.webServer ~ Error: Process from config.webServer ~ Incomplete: fit ~ Incomplete: fdescribe | task failed: error: Type checking failed ~ error: Test failed | part: ✖ failing tests:$
scripting | none: No examples found. ~ All examples were filtered out ~ No tests executed! ~ INFO  No tests found ~ There are no tests to run ~ All tests have been excluded. | task failed: FAILURES!$ ~ ERRORS!$ ~ == Compilation error in file ~ ** (Mix) ~ ===> Error running tests | part: rspec …_spec.rb:# ~ There was # failure ~ There were # failure ~ There was # error ~ There were # error
sbt | task failed: *** # TEST… FAILED ~ (…) sbt.TestsFailedException ~ (…) Compilation failed ~ one error found ~ # errors found | none: No tests were executed ~ No tests to run for
coverage | task failed: FAIL Required test coverage of ~ Coverage for … (…%) does not meet ~ ERROR: Coverage for … (…%) does not meet ~ ERROR [coverage]: Coverage for … (…%) does not meet ~ Jest: …coverage threshold for …not met ~ Coverage test failed, threshold not met ~ …Error: …% …coverage does not meet threshold ~ …%) is below the expected minimum ~ …Coverage failure: total of
"""
#: The same of builds, linters, formatters and type checkers; "count": `#` errors are told, none is well.
CHECKED = """
eslint | count: ✖ …problem (# error ~ ✖ …problems (# error | failed: ESLint found too many warnings ~ Oops! Something went wrong! :(
ruff | passed: All checks passed!$ ~ … already formatted ~ … left unchanged | count: Found … error…fixed, # remaining ~ Found # error.$ ~ Found # errors.$ ~ # file would be reformatted ~ # files would be reformatted
mypy | count: Found # error in ~ Found # errors in | passed: Success: no issues found in
pyright | count: # error, … warning ~ # errors, … warning
tool | none: ✔ 0 errors…in 0 files | count: Found … warning…and # error ~ … inspected, # offense ~ [ERROR] Found # error ~ Found # error ~ Found # diagnostic ~ Found # problem ~ Summary: # error(s) ~ ✔ # errors ~ ✖ # error ~ ✖ # errors ~ # error found ~ # errors found ~ # issue found ~ # issues found ~ …, # chart(s) failed | failed: Oh no! 💥 💔 💥 ~ ERROR: … Imports are incorrectly sorted ~ …:#:# error MD# ~ ….py:#:#: E# ~ ….py:#:#: F# ~ ….py:#:#: W# ~ In … line #:$ | passed: All done! ✨ 🍰 ✨ ~ … inspected, no offenses detected ~ [OK] No errors ~ No errors found! ~ No issues found!
pylint | passed: Your code has been rated at 10.00 | failed: Your code has been rated at
biome | passed: Checked … file…in …
prettier | passed: All matched files use Prettier code style! | failed: [warn] Code style issues
golangci-lint | count: # issue.$ ~ # issues.$ ~ # issue:$ ~ # issues:$ | failed: diff …go.orig
tsc | failed: …: error TS# ~ … - error TS# ~ Errors  Files$
cargo | failed: error: could not compile ~ error[E#]: ~ error: linking with | passed: Finished `
go | failed: ….go:#:#: …
dotnet | failed: …): error … ~ … : error LNK# ~ Build FAILED. | count: # Error(s)$ ~ # Erreur(s)$ ~ # Fehler$ | passed: Build succeeded
compiler | failed: …:#:#: error: ~ …:#:#: fatal error: ~ ….java:#: error: ~ e: ….kt: ~ FAILED: … ~ CMake Error ~ -- Configuring incomplete, errors occurred ~ collect2: error ~ == Compilation error in file ~ ** (Mix) ~ error: fatalError ~ error: emit-module command failed ~ BUILD FAIL ~ COMPILATION ERROR ~ FAILURE: Build failed with an exception. ~ ** BUILD FAILED ** ~ ** ARCHIVE FAILED ** ~ The following build commands failed: ~ # error$ ~ # errors$ ~ ERROR: failed to solve ~ Aborted with # warnings in strict mode ~ PHP Parse error ~ PHP Fatal error ~ pre-commit…......Failed$ | passed: ninja: no work to do. ~ -- Build files have been written ~ Build complete! ~ Generated … app$ ~ [success] Total time: ~ BUILD SUCCESS ~ ** BUILD SUCCEEDED ** ~ ** ARCHIVE SUCCEEDED ** ~ Build Succeeded$ ~ Successfully built ~ INFO: Build completed successfully ~ ….....…Passed$
web | failed: error during build: ~ Build failed with # ~ ✗ Build failed ~ …compiled with # error ~ ERROR in … ~ …Failed to compile ~ …Build error occurred ~ …Export encountered errors ~ …Next.js build worker exited with code: # ~ #:#  Error: ~ ERROR  …build error ~ Type error: ~ ✘ [ERROR] ~ X [ERROR] ~ RollupError: ~ [!] RollupError: ~ [!] Error: ~ [!] (plugin … ~ Module not found: ~ Error: Cannot find module ~ SyntaxError: | passed: ✓ built in ~ ✓ Compiled ~ …compiled successfully in ~ Compiled successfully ~ ⚡ Done in ~ …Build success in ~ created … in ~ Done in #
"""
#: What says that a command never started, or that a machine or the network is not there; anywhere in a line, of no runner in particular.
NEVER = """
shells | never: sh: …: command not found ~ sh: …: not found ~ zsh:…: command not found: ~ (eval)…: command not found: ~ sh: …: No such file or directory ~ sh: …: Permission denied ~ sh: …: cannot execute ~ cd:…o such file or directory ~ cd:…ot a directory ~ env: …: No such file ~ env: …: command not found ~ sudo: …: command not found ~ timeout: failed to run command ~ The term …is not recognized as ~ is not recognized as an internal or external command
tools | never: ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "…" not found ~ Command not found: ~ Error: the command …could not be found within PATH ~ Command '…' is not found in your PATH ~ error: no such command: ~ ImportError: Couldn't import Django ~ python…: No module named ~ python…: can't open file ~ Failed to spawn: ~ error: unrecognized subcommand ~ Failed to change working directory to ~ ERROR: No such build data file as ~ ** (Mix) Could not find an SCM ~ Can't continue due to errors on dependencies ~ skipped because could not find python interpreter ~ pytest: error: ~ npm error could not determine executable to run ~ npm error enoent Could not read package.json ~ go: go.mod file not found ~ go: cannot find main module ~ pattern …: directory prefix …does not contain ~ Cannot open file "…".$ ~ in locally installed gems ~ in any of the sources
"""
DOWN = """
machines | never: Cannot connect to the Docker daemon ~ permission denied while trying to connect to the Docker daemon ~ Could not find a valid Docker environment ~ Is the server running on that host and accepting ~ connection to server at …failed: Connection refused ~ Is the server running locally and accepting ~ ActiveRecord::ConnectionNotEstablished ~ SQLSTATE[HY000] [2002] ~ The database for …couldn't be created ~ Executable doesn't exist at …ms-playwright ~ No binary for …browser on your platform ~ Can not find the binary ~ Your Ruby version is …but your Gemfile specified ~ Vite requires Node.js version ~ error NETSDK1045: ~ error NETSDK1147: ~ unable to spawn process 'xcrun' ~ No such container: ~ dependency failed to start: container ~ service "…" is not running ~ ssh: connect to host ~ ssh: Could not resolve hostname ~ xcode-select: error: tool ~ xcrun: error: invalid active developer path ~ Unable to locate a Java Runtime ~ ERROR: JAVA_HOME is ~ error: no override and no default toolchain set ~ No version is set for ~ env: version …is not installed ~ A compatible .NET SDK was not found ~ SDK location not found ~ Cannot find a Java installation on your machine…matching ~ Unable to find a device matching the provided destination ~ error: Failed to initialize cache at ~ go: download …toolchain not available ~ …ERR_PNPM_UNSUPPORTED_ENGINE ~ error: linker `…` not found ~ …is already used, make sure that nothing is running on
network | never: java.net.UnknownHostException: ~ Could not GET 'http ~ Could not transfer artifact ~ Could not resolve host: ~ Temporary failure in name resolution ~ dial tcp: lookup ~ npm error code ENOTFOUND ~ getaddrinfo EAI_AGAIN ~ No space left on device ~ No cached version …available for offline mode ~ in offline mode and the artifact ~ failed to lookup address information
"""
#: What a phrase comes to, where that is not a failure.
_VERDICTS = {"passed": "", "task passed": "", "count": "", "none": "no tests found", "no task": "nothing was run"}  # fmt: skip
#: What a summary's words count: a phrase counts for the first of its words that stands in this order.
_WORDS = """
passed | expected known xfail
failed | unexpected remained remaining part xpass
skipped | not omissions notrun
deselected | deselected excluded filtered
failed | failed failing failure failures fail fails error errors errored timed timeout crashing fatal exception exceptions rejection rejections interrupted undefined ambiguous invalid cancelled aborted numfailedtests failure_count failedtests
skipped | skipped skipping skip skips pending pendings ignored todo todos canceled incomplete disabled numpendingtests pending_count skippedtests
passed | passed passing passes pass ok succeeded success successes successful measured flaky xfailed xpassed risky deprecated notice notices numpassedtests passedtests
total | tests test run runs total tried case cases example examples spec specs scenario scenarios check checks doctest doctests property properties found numtotaltests example_count totaltestcount
"""
_COUNTED = [line.split(" | ") for line in _WORDS.strip().split("\n")]
_FIELDS = {word: field for field, said in _COUNTED for word in said.split()}
_NUMBER_WORDS = r"(?P<number>\d+|\bno) (?!subtests (?:pass|skip))(?P<word>[A-Za-z]+(?: [a-z]+)*)"
_WORDS_NUMBER = r'(?P<word>[A-Za-z][A-Za-z_ ]*?)(?:"? ?[:=]"? *| )(?P<number>\d{1,7})\b'
_ESCAPES = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_=>78]|\[\d{1,3}(?:;\d{1,3}){0,4}m"
#: What task runners put in front of each line: fastlane; mise, concurrently, yarn; turbo; pnpm -r; scoped packages; docker compose, moon; `gh run view --log`; docker build; lefthook, xcpretty.
_PREFIX = (
    r"\[\d\d:\d\d:\d\d\]: (?:▸ )?|\[(?!(?:[A-Z_]+|info|error|warn|debug|success|fatal)\])(?=[@\w./:#=-]{0,79}[a-z\d])(?:[@\w./:#=-]{1,80})\]:? "
    r"|(?:[@\w./-]{1,80}:(?=[@A-Za-z_])[@\w./:-]{1,80}): |(?:(?:\.|[@\w][@\w./-]{0,80}) (?:test|check|lint|build|type-?check|verify|ci|spec|e2e)(?::[\w-]{1,40})?)[:$] "
    r"|(?:@[\w.-]{1,60}/[\w.-]{1,60}): |(?:[\w.-]{1,60}[-_]\d{1,3}|[@\w./-]{1,80}:[A-Za-z][\w-]{0,60}) {1,20}\| |(?:[^\t]{1,80})\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z "
    r"|(?:#\d{1,4}) \d{1,6}\.\d{1,6} |(?:[┃│] {1,4}|▸ )"
)
#: A point of TAP, or the plan.
_POINT = r"1\.\.(?P<plan>\d{1,7})(?: ?#.*)?$|(?P<skipped>(?:not )?ok\b.{0,400}?# ?(?:SKIP|skip)\b)|(?P<passed>ok\b(?: |$)|not ok\b.{0,400}?# ?(?:TODO|todo)\b)|(?P<failed>not ok\b(?: |$)|Bail out!)"
#: Closing lines are short: a longer line is a dump, and cutting it keeps every expression linear.
_LINE_CHARS, _OUTPUT_CHARS = 600, 1_000_000
quote = partial(shortened, most=200)  # a line as it is shown to people


class Summary(Value):
    """What one run printed about itself. Nothing executed is `NOT_RUN`, with the reason in `vacuous`."""

    runner: str
    outcome: Outcome
    counts: Counts | None = None
    quote: str = ""  # the line that decided
    vacuous: str = ""
    partial: bool = False  # single tests only; the closing lines are not here
    wrapper: bool = False  # a task runner's word about what it ran
    open_ended: bool = False  # one of several like it (packages, binaries): more may follow
    marks: str = ""  # of its row in `SUMMARIES`


class Text:
    """An output as clean lines: no colours, no redrawn progress, no prefix of a task runner in front."""

    def __init__(self, output: str) -> None:
        if len(output) > _OUTPUT_CHARS:
            output = f"{output[: _OUTPUT_CHARS // 5]}\n{output[-_OUTPUT_CHARS * 4 // 5 :]}"
        if "[" in output or "\x1b" in output:
            output = re.sub(_ESCAPES, "", output)
        self.lines, self.starts, self.having = list[str](), [0], dict[str, list[int]]()
        prefixed = re.compile(_PREFIX).match
        for line in output.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            prefix = prefixed(line[:_LINE_CHARS])
            self.lines.append(line[prefix.end() if prefix else 0 : _LINE_CHARS].rstrip())
            self.starts.append(self.starts[-1] + len(self.lines[-1]) + 1)
        self.whole, (rows, places) = "\n".join(self.lines), _rows()
        letters = self.whole.lower().encode("utf-8", "replace").translate(_LETTERS).decode()
        for index, line in enumerate(letters.split("\n")):
            for word in places.keys() & line.split():
                self.having.setdefault(word, []).append(index)
        known = {at for word in self.having for at in places[word]}
        self.rows = [rows[at] for at in sorted(known)]  # of which a line has a word

    def matches(self, rows: Iterable["_Row"], known: Iterable[int] = ()) -> Iterator[Any]:
        """(row, index of the line, match) wherever the expressions of rows match, except in known lines."""
        for row in rows:
            found = {at for word in row.words for at in self.having.get(word, ())}
            for index in sorted(found.difference(known)):
                here = row.part in self.lines[index]
                if here and (match := _expressions(row)[0].match(self.whole, self.starts[index])):
                    yield row, index, match


#: Keeps small letters and line ends.
_LETTERS = bytes(at if chr(at) in "\nabcdefghijklmnopqrstuvwxyz" else 32 for at in range(256))
text_of = lru_cache(maxsize=8)(Text)
_words = re.compile("[a-z]+").findall
_whole_words = re.compile("(?<![a-z])(?<!…)[a-z]+(?![a-z])(?!…)(?=.)").findall  # of a phrase


class _Row(NamedTuple):
    table: str
    runners: tuple[str, ...]
    marks: str = ""
    words: tuple[str, ...] = ()  # one stands in each line that its expression matches
    part: str = ""  # and this
    text: str = ""  # as in the table
    how: str = ""


@cache
def _rows() -> tuple[list[_Row], dict[str, list[int]]]:
    """All rows, and the places of those that have a word."""
    rows, places = list[_Row](), dict[str, list[int]]()
    for line in SUMMARIES.strip().split("\n"):
        runners, marks, words, text = line.split(" ~ ")
        rows.append(_Row(SUMMARIES, (*runners.split(),), marks, (*words.split(","),), "", text))
    for table in (SAID, CHECKED, NEVER, DOWN):
        for runner, *cells in (line.split(" | ") for line in table.strip().split("\n")):
            for how, _, phrases in (cell.partition(": ") for cell in cells):
                marks = {"part": "p", "none": "o", "passed": "o"}.get(how, "w" * ("task" in how))
                for phrase in phrases.split(" ~ "):
                    found = _whole_words(phrase.lower()) or _words(phrase.lower())
                    part = max(phrase.replace("#", "…").replace("$", "…").split("…"), key=len)
                    word = max(found, key=len)
                    rows.append(_Row(table, (runner,), marks, (word,), part, phrase, how))
    for at, row in enumerate(rows):
        for word in row.words:
            places.setdefault(word, []).append(at)
    return rows, places


@cache
def _expressions(row: _Row) -> tuple[re.Pattern[str], str]:
    """A row's expression, and that of a count in its group `c`; of a phrase: `make: *** […Error #`."""
    pattern, each = row.text, _WORDS_NUMBER if "<" in row.marks else _NUMBER_WORDS
    if row.how:
        start = ".*" if row.how == "never" else r"[ \t]{0,8}(?:\[\w+\] *)?"
        said = re.escape(pattern).replace("…", ".{0,250}?").replace(r"\#", r"(\d+)")
        return re.compile(start + said.replace(r"\$", "$"), re.MULTILINE), each
    for piece, meaning in _PIECES:
        pattern = pattern.replace(piece, meaning)
    if "b" in row.marks:  # up to twelve such lines, with up to three others between two
        each = f"^{pattern}"
        plain = re.sub(r"\(\?P<(?:number|word)>", "(?:", pattern)
        pattern = rf"(?P<c>(?:(?:\n(?:.*\n){{0,3}}?)?{plain}){{1,12}})"
    return re.compile(pattern, re.MULTILINE), each


@lru_cache(maxsize=64)
def names_of(runner: str) -> frozenset[str]:
    """Whose rows of the tables are a command's runner's; nobody's where it is a task (`bun run test`)."""
    words = runner.split()
    names = set() if "run" in words[1:2] else {runner, *words[:1]}
    rows = (row for row in _rows()[0] if row.table in (SUMMARIES, SAID))
    return frozenset(row.runners[0] for row in rows if not names.isdisjoint(row.runners))


@lru_cache(maxsize=8)
def read_all(output: str, runner: str = "") -> tuple[Summary, ...]:
    """Every summary of tests in an output, in order; where the named runner told of its run, its own and task runners' only."""
    text, names = text_of(output), names_of(runner)
    found: dict[int, Summary] = {}
    rows = [row for row in text.rows if row.table in (SUMMARIES, SAID)]
    own = [row for row in rows if row.runners[0] in names]
    _ask(text, [row for row in own if "+" not in row.marks], found)
    if not any(item.counts for item in found.values()):
        _ask(text, [row for row in own if "+" in row.marks], found)
    told = _told(found)
    others = [row for row in rows if row.runners[0] not in names and (not told or "w" in row.marks)]
    _ask(text, [row for row in others if "?" not in row.marks], found)
    if not _told(found):
        _ask(text, [row for row in others if "?" in row.marks], found)
    if not _told(found):
        found |= _points(text)
    items = [found[index] for index in sorted(found)]
    last = {item.runner: item for item in items if "l" in item.marks}
    return tuple(item for item in items if last.get(item.runner, item) is item)


def _told(found: dict[int, Summary]) -> bool:
    """Whether anyone told of a run, and not of single tests or tasks only."""
    return any(not (i.wrapper or i.partial or i.outcome is Outcome.NOT_RUN) for i in found.values())


@lru_cache(maxsize=8)
def read_checks(output: str) -> tuple[Summary, ...]:
    """The verdict lines of builds, linters, formatters and type checkers, in order."""
    text, found = text_of(output), dict[int, Summary]()
    _ask(text, [row for row in text.rows if row.table == CHECKED], found)
    _ask(text, [row for row in text.rows if row.runners[0] == "tasks"], found)
    return tuple(found[index] for index in sorted(found))


def never_started(output: str, programs: frozenset[str] | None, *tables: str) -> str:
    """The line by which a row of the tables says that one of these programs (None: any) did not start, else ""."""
    text = text_of(output)
    for _, index, _ in text.matches(row for row in text.rows if row.table in tables):
        if programs is None or programs & {*re.findall(r"[\w.-]+\w", text.lines[index])}:
            return quote(text.lines[index])
    return ""


def _ask(text: Text, rows: Iterable[_Row], found: dict[int, Summary]) -> None:
    """Each line counts once, for the first row that knows it."""
    for row, index, match in text.matches(rows, found):
        last = index + match[0].count("\n")
        if found.keys().isdisjoint((index, last)) and (item := _one(text, row, index, match)):
            found[last] = item


def _one(text: Text, row: _Row, index: int, match: re.Match[str]) -> Summary | None:
    """The summary that a match of a row's expression stands for."""
    line = match[0] if "\n" in match[0] else text.lines[index]
    if row.how:
        bad = row.how == "count" and int(match[1])
        return _closing(row, line, {}, "failed" if bad else _VERDICTS.get(row.how, "failed"))
    groups = match.groupdict()
    group = {name.rstrip("2"): word for name, word in groups.items() if word is not None}
    counts, tally = group.get("c", "" if groups else match[0]), dict[str, int]()
    told = re.finditer(_expressions(row)[1], counts, re.MULTILINE)
    pairs = [(pair["word"], pair["number"]) for pair in told]
    for phrase, number in pairs:
        words = phrase.lower().split()
        field = next((field for word, field in _FIELDS.items() if word in words), "")
        if field:
            tally[field] = tally.get(field, 0) + int(number.replace("no", "0"))
    if "b" in row.marks:
        sums = {word: sum(int(n) for w, n in pairs if w == word) for word, _ in pairs}
        line = ", ".join(f"{number} {word}" for word, number in sums.items())
    verdict = "no tests ran" if "none" in group or (counts and not tally) else ""
    verdict = "failed" if "bad" in group else verdict
    for name in group.keys() & {"passed", "failed", "skipped", "total"}:
        tally[name] = int(group[name].replace("-", "0"))
    if "2" in row.marks and not ("failed" in tally and tally.keys() & {"passed", "total"}):
        return None
    if "+" in row.marks:
        tally = {verdict or ("skipped" if "skip" in group else "passed"): 1}
    return _closing(row, line, tally, verdict)


def _points(text: Text) -> dict[int, Summary]:
    """TAP: bare test points. Without a plan that is met, points that passed are no proof of the rest."""
    point = re.compile(_POINT).match
    points = {at: match for at, line in enumerate(text.lines) if (match := point(line))}
    plan = next((int(match["plan"]) for match in points.values() if match["plan"]), None)
    kinds = [match.lastgroup for match in points.values()]
    tally = {name: kinds.count(name) for name in ("passed", "failed", "skipped")}
    if not points or (plan is None and not tally["failed"]):
        return {}
    at = next((at for at, match in points.items() if match["failed"]), max(points))
    row = _Row("", ("tap",), "p" if plan is None or sum(tally.values()) < plan else "")
    shown = f"{text.lines[at]} ({tally['passed']} ok, {tally['failed']} not ok)"
    return {at: _closing(row, shown, tally)}


def _closing(row: _Row, line: str, tally: dict[str, int], verdict: str = "") -> Summary:
    """The one place that turns counts into an outcome. `verdict`: "failed", or why nothing ran."""
    failed, skipped, left_out = (tally.get(name, 0) for name in ("failed", "skipped", "deselected"))
    passed = tally.get("passed", max(tally.get("total", 0) - failed - skipped - left_out, 0))
    if failed:
        verdict = "failed"
    elif not verdict and not passed and tally.keys() - {"failed"}:
        parts = {"skipped": skipped, "deselected": left_out}
        verdict = next((f"all {n} {what}" for what, n in parts.items() if n), "no tests ran")
    ran = {"": Outcome.PASSED, "failed": Outcome.FAILED}
    shown = {**tally, "passed": passed, "failed": failed, "skipped": skipped}
    about: Any = {"runner": row.runners[0], "quote": quote(line), "marks": row.marks}
    about["counts"] = Counts(**shown) if tally else None
    about |= {name: name[0] in row.marks for name in ("partial", "wrapper", "open_ended")}
    vacuous = "" if verdict in ran else verdict
    return Summary(outcome=ran.get(verdict, Outcome.NOT_RUN), vacuous=vacuous, **about)


def combine(summaries: Iterable[Summary]) -> Summary | None:
    """One summary for several: a failure decides, then a proof. A task runner's pass counts only where what it ran says nothing."""
    every = list(summaries)
    own = [item for item in every if not item.wrapper] or every
    own = [item for item in own if not item.partial] or own
    if not own:
        return None
    told = [item for item in own if item.outcome is not Outcome.NOT_RUN]
    tasks = [item for item in every if item.wrapper and item.outcome is Outcome.FAILED]
    some = [*told, *tasks] if told else own
    some.sort(key=lambda one: (one.outcome is Outcome.FAILED, not one.wrapper, bool(one.counts)))
    chosen = some[-1]
    counts = _added(own) or _added(item for item in every if "+" in item.marks)
    if chosen.outcome is Outcome.PASSED and counts and counts.skipped and not counts.passed:
        chosen = chosen.replace(outcome=Outcome.NOT_RUN, vacuous=f"all {counts.skipped} skipped")
    return chosen.replace(counts=counts)


def _added(summaries: Iterable[Summary]) -> Counts | None:
    sums = Counter[str]()
    for item in summaries:
        sums.update(item.counts.to_json() if item.counts else {})
    return Counts(**sums) if sums else None
