"""
The options of test runners: what selects, what leaves out, what only lists, what watches.

One row a runner, read by `runner_flags`. Sources: each runner's own `--help` (pytest 8, jest 29/30, vitest 1–3,
mocha 10/11, go 1.22+, cargo 1.7x, Maven Surefire 3, Gradle 8, .NET 8, RSpec 3, PHPUnit 10, CTest 3.2x, Bats 1.x,
ExUnit 1.1x, …).
"""

_JEST_SELECT = "-t --testNamePattern --testPathPattern --testPathPatterns --shard --selectProjects --changedSince"
_PHPUNIT_VALUES = (
    "-c --configuration --bootstrap --log-junit --log-teamcity --coverage-html --coverage-text --coverage-clover --order-by -d --cache-directory "
    "--testdox-html --include-path --columns --repeat --processes"
)

ROWS: dict[str, dict[str, str]] = {
    "pytest": {
        "select": "-k -m --last-failed-from --shard-id --test-group",
        "deselect": "--deselect --ignore --ignore-glob",
        "values": "-c -p -o -n -W -r --numprocesses --maxfail --tb --cov --cov-report --cov-config --cov-fail-under --durations --durations-min --timeout "
        "--timeout-method --rootdir --confcutdir --junitxml --junit-xml --log-level --log-cli-level --log-file --log-file-level --log-format --color "
        "--capture --basetemp --dist --import-mode --html --ds --reruns --reruns-delay --verbosity --maxprocesses --max-worker-restart --asyncio-mode "
        "--override-ini --config-file --show-capture --splits --group --benchmark-json --hypothesis-seed --hypothesis-profile --randomly-seed --browser",
        "alone": "--lf --last-failed --sw --stepwise --stepwise-skip --testmon --picked --nf-only",
        "collect": "--collect-only --co --collectonly --fixtures --fixtures-per-test --markers --setup-plan --trace-config-only --cache-show",
        "watch": "--looponfail",
    },
    "unittest": {
        "select": "-k",
        "values": "-s -t --start-directory --top-level-directory -p --pattern --durations",
        "positional": "name",
    },
    "doctest": {"values": "-o --option"},
    "jest": {
        "select": _JEST_SELECT,
        "deselect": "--testPathIgnorePatterns --ignoreProjects --modulePathIgnorePatterns",
        "values": "-c --config --rootDir --maxWorkers -w --testTimeout --reporters --coverageDirectory --coverageReporters --env --testEnvironment "
        "--outputFile --maxConcurrency --collectCoverageFrom --setupFilesAfterEnv --seed --testRunner --projects --roots --transform",
        "alone": "-o --onlyChanged -f --onlyFailures --lastCommit",
        "collect": "--listTests --showConfig --clearCache --init",
        "watch": "--watch --watchAll",
    },
    "vitest": {
        "select": "-t --testNamePattern --project --shard --dir --tagsFilter",
        "deselect": "--exclude",
        "values": "-c --config -r --root --reporter --outputFile --pool --environment --maxWorkers --minWorkers --testTimeout --hookTimeout --mode "
        "--workspace --bail --retry --maxConcurrency --sequence.seed --coverage.provider --coverage.reporter --browser.name --poolOptions --configLoader",
        "alone": "--changed",
        "collect": "--listTests --clearCache",
        "watch": "--watch -w",
    },
    "mocha": {
        "select": "-g --grep -f --fgrep",
        "deselect": "--exclude --ignore",
        "values": "-R --reporter -r --require -t --timeout --config --file -u --ui --extension --retries -j --jobs -O --reporter-options --spec -n "
        "--node-option --package -s --slow --import",
        "collect": "--dry-run --list-files",
        "watch": "-w --watch",
    },
    "ava": {
        "select": "-m --match",
        "values": "-c --concurrency -T --timeout --config --node-arguments",
        "watch": "-w --watch",
    },
    "tap": {
        "select": "-g --grep",
        "values": "-R --reporter -j --jobs -t --timeout --save",
        "watch": "-w --watch",
    },
    "jasmine": {
        "select": "--filter --filter-path",
        "values": "--config --reporter --helper --require --seed --parallel",
    },
    "node --test": {
        "select": "--test-name-pattern",
        "deselect": "--test-skip-pattern",
        "values": "--test-reporter --test-reporter-destination --import -r --require --loader --experimental-loader --test-concurrency --test-timeout -C "
        "--conditions --test-coverage-include --test-coverage-exclude --test-shard --experimental-config-file",
        "alone": "--test-only",
        "watch": "--watch",
    },
    "bun test": {
        "select": "-t --test-name-pattern",
        "deselect": "--path-ignore-patterns",
        "values": "--timeout --preload -r --rerun-each --coverage-reporter --coverage-dir --reporter --reporter-outfile --cwd -c --config --env-file --seed "
        "--max-concurrency --retry",
        "alone": "--only",
        "watch": "--watch --hot",
    },
    "deno test": {
        "select": "--filter",
        "deselect": "--ignore",
        "values": "-c --config --import-map --reporter --junit-path --lock --env-file --coverage --seed --location -L --log-level",
        "collect": "--no-run",
        "watch": "--watch",
    },
    "playwright": {
        "select": "-g --grep --project --shard --only-changed",
        "deselect": "-gv --grep-invert",
        "values": "-c --config -j --workers --reporter --retries --timeout --output --trace --browser --max-failures --repeat-each --global-timeout --tsconfig "
        "-u --name --ui-port --ui-host",
        "alone": "--last-failed",
        "collect": "--list",
        "watch": "--ui",
    },
    "cypress": {
        "select": "-s --spec",
        "values": "-b --browser -c --config -C --config-file -e --env -P --project -r --reporter -o --reporter-options -k --key --ci-build-id --group --tag -p --port",
        "positional": "none",
    },
    "go test": {
        "select": "-run --run",
        "deselect": "-skip --skip",
        "values": "-bench -benchtime -count -timeout -tags -coverprofile -covermode -coverpkg -cpu -parallel -o -exec -p -vet -shuffle -ldflags -gcflags -mod "
        "-modfile -cpuprofile -memprofile -blockprofile -outputdir -trace -fuzz -fuzztime -C -overlay -asmflags --timeout --count --tags -test.timeout",
        "collect": "-list -n -c",
    },
    "ginkgo": {
        "select": "--focus -focus --label-filter --focus-file",
        "deselect": "--skip -skip --skip-file --skip-package",
        "values": "-procs --procs -nodes --timeout --output-dir --junit-report --seed --repeat --tags --coverprofile",
        "collect": "--dry-run",
    },
    "cargo test": {
        "select": "-p --package --test --bin --example --bench -E --filter-expr --filterset --partition",
        "deselect": "--exclude --skip",
        "values": "-F --features --target --target-dir --manifest-path --profile -P -j --jobs --color --message-format --config -Z --test-threads --format "
        "--retries --failure-output --success-output --status-level --final-status-level --cargo-profile -o --out-dir --engine --timeout --lockfile-path "
        "--tool-config-file --show-progress --max-fail",
        "alone": "--lib --doc --bins --ignored --exact",
        "collect": "--no-run --list",
        "positional": "name",
    },
    "dotnet test": {
        "select": "--filter --filter-method --filter-class --filter-namespace --treenode-filter",
        "deselect": "--filter-not-class --filter-not-method --filter-not-trait",
        "values": "-c --configuration -f --framework -l --logger -v --verbosity -o --output -r --results-directory --settings -s --collect -a --arch --os "
        "--diag -d --environment -e --blame-hang-timeout --project --solution --runtime --test-adapter-path",
        "collect": "-t --list-tests",
    },
    "rspec": {
        "select": "-e --example -E --example-matches -t --tag -P --pattern",
        "deselect": "--exclude-pattern",
        "values": "-f --format -r --require -I -o --out --seed --order --default-path --options -O --failure-exit-code",
        "alone": "--only-failures -n --next-failure",
        "collect": "--dry-run",
    },
    "minitest": {
        "select": "-n --name -i --include",
        "deselect": "-e --exclude -x",
        "values": "-s --seed -I -r --environment -w --workers",
    },
    "phpunit": {
        "select": "--filter --group --testsuite --covers --uses",
        "deselect": "--exclude-group --exclude-filter --exclude-testsuite",
        "values": _PHPUNIT_VALUES,
        "alone": "--dirty --retry",
        "collect": "--list-tests --list-groups --list-suites --list-test-files --list-tests-xml --generate-configuration --migrate-configuration",
    },
    "ctest": {
        "select": "-R --tests-regex -L --label-regex -I --tests-information",
        "deselect": "-E --exclude-regex -LE --label-exclude -FA --fixture-exclude-any",
        "values": "-j --parallel --test-dir -C --build-config --timeout -O --output-log --output-junit --preset -T -M -D -S --repeat --stop-time "
        "--test-output-size-passed --test-output-size-failed",
        "alone": "--rerun-failed",
        "collect": "-N --show-only --print-labels",
        "positional": "none",
    },
    "bats": {
        "select": "-f --filter --filter-tags --filter-status",
        "values": "-F --formatter -j --jobs -o --output --report-formatter",
        "collect": "-c --count",
    },
    "mix test": {
        "select": "--only --include-only --partitions",
        "deselect": "--exclude",
        "values": "--include --seed --max-failures --max-cases --timeout --formatter --exit-status --slowest -r --require --export-coverage",
        "alone": "--failed --stale",
        "watch": "--listen-on-stdin",
    },
    "swift test": {
        "select": "--filter -s --specifier",
        "deselect": "--skip",
        "values": "--package-path --num-workers --xunit-output --build-path --scratch-path -c --configuration -Xswiftc -Xcc -Xlinker --triple --sdk",
        "collect": "--list-tests -l --show-codecov-path",
        "positional": "none",
    },
    "xcodebuild": {
        "select": "-only-testing -only-testing:",
        "deselect": "-skip-testing -skip-testing:",
        "values": "-scheme -destination -project -workspace -configuration -sdk -derivedDataPath -resultBundlePath -testPlan -enableCodeCoverage "
        "-parallel-testing-enabled -xctestrun -maximum-parallel-testing-workers -target -arch -test-iterations -clonedSourcePackagesDirPath",
        "positional": "none",
    },
    "flutter test": {
        "select": "--name --plain-name -n -N -t --tags",
        "deselect": "-x --exclude-tags",
        "values": "-r --reporter -j --concurrency -d --device-id --coverage-path --timeout --dart-define --total-shards --shard-index -p --platform --file-reporter "
        "--test-randomize-ordering-seed -P --preset --flavor",
    },
    "django": {
        "select": "--tag -k --pattern -p",
        "deselect": "--exclude-tag",
        "values": "--settings --pythonpath --parallel -v --verbosity --testrunner",
        "positional": "name",
    },
    "nose2": {"select": "-A --attribute", "values": "-s -t -c --config", "positional": "name"},
    "Invoke-Pester": {
        "select": "-FullNameFilter -TestName -Tag -TagFilter",
        "deselect": "-ExcludeTag -ExcludeTagFilter -ExcludePath",
        "values": "-Output -Show -Configuration -Container -CodeCoverage -CodeCoverageOutputFile -OutputFile -OutputFormat -PesterOption -TestSuiteName",
    },
    "prove": {
        "values": "-j --jobs -I --exec -e --formatter --state --ext -P -M -a --archive",
        "collect": "-D --dry --dry-run",
    },
    "stack test": {
        "select": "--test-arguments --ta",
        "values": "--stack-yaml --flag --ghc-options -j --jobs",
        "positional": "name",
        "collect": "--no-run-tests",
    },
    "behave": {
        "select": "-n --name -i --include -t --tags",
        "deselect": "-e --exclude",
        "values": "-f --format -o --outfile -D --define --stage --lang",
        "collect": "-d --dry-run",
    },
    "robot": {
        "select": "-t --test -s --suite -i --include",
        "deselect": "-e --exclude --skip",
        "values": "-d --outputdir -v --variable -o --output -l --log -r --report -P --pythonpath -L --loglevel -N --name",
        "collect": "--dryrun",
    },
    "karma": {
        "select": "--grep --include",
        "deselect": "--exclude",
        "values": "--browsers --reporters --port --log-level -c --configuration",
        "positional": "none",
    },
    "forge test": {
        "select": "--match-test --mt --match-contract --mc --match-path --mp",
        "deselect": "--no-match-test --nmt --no-match-contract --nmc --no-match-path --nmp",
        "values": "--fork-url -f --rpc-url --fork-block-number --gas-limit --root --fuzz-runs --threads -j",
        "collect": "--list -l",
        "positional": "name",
    },
    "newman": {
        "select": "--folder",
        "values": "-e --environment -d --iteration-data -r --reporters -g --globals -n --timeout --env-var",
    },
    "meson test": {
        "select": "--suite",
        "deselect": "--no-suite",
        "values": "-C --num-processes -j -t --timeout-multiplier --wrap --repeat --setup",
        "collect": "--list",
        "positional": "name",
    },
}
ROWS["script"] = {  # the runner behind `npm test -- …` is not known: what the common ones agree on
    "select": "-t --testNamePattern --testPathPattern --testPathPatterns -g --grep -k -m --filter --spec --project --match -run --shard",
    "deselect": "--exclude --ignore --deselect --testPathIgnorePatterns --grep-invert --skip --exclude-group",
    "values": "-c --config --maxWorkers --reporter --reporters --timeout --testTimeout --env --browser --browsers -j --workers --retries --retry --pool -n "
    "--tb --maxfail",
    "alone": "--onlyChanged --changed --lf --last-failed --onlyFailures",
    "collect": "--listTests --collect-only --co --list --list-tests --showConfig",
    "watch": "--watch --watchAll --watch=true --ui",
}
ROWS["any"] = ROWS["script"]  # a runner without a row of its own: `--list` and `--filter a` are no runs of all tests
