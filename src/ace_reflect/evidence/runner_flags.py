"""
The options of test runners: what selects, what leaves out, what only lists, what watches.

One table row a runner. Sources: each runner's own `--help` (pytest 8, jest 29/30, vitest 1–3, mocha 10/11, go 1.22+,
cargo 1.7x, Maven Surefire 3, Gradle 8, .NET 8, RSpec 3, PHPUnit 10, CTest 3.2x, Bats 1.x, ExUnit 1.1x, …).
"""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.late import Late


class Flags:
    """
    One runner's options. Those of `select`, `deselect` and `values` take a value, the others stand alone.

    A table of forty of them is read by every hook that meets a command, so a row stays text until it is needed.
    """

    __slots__ = ("alone", "collect", "deselect", "known", "positional", "select", "values", "watch")

    def __init__(self, row: dict[str, str]) -> None:
        self.select = frozenset(row.get("select", "").split())
        self.deselect = frozenset(row.get("deselect", "").split())
        self.values = frozenset(row.get("values", "").split())
        self.alone = frozenset(row.get("alone", "").split())  # select, without a value
        self.collect = frozenset(row.get("collect", "").split())
        self.watch = frozenset(row.get("watch", "").split())
        self.positional = row.get("positional", "path")  # path, name (of a test) or none
        self.known = self.select | self.deselect | self.values | self.alone | self.collect | self.watch


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

_READ: dict[str, Flags] = {}


def flags_of(runner: str) -> Flags:
    """The options of the runner with this name in `ROWS`."""
    if runner not in _READ:
        _READ[runner] = Flags(ROWS[runner])
    return _READ[runner]


_NEGATIVE = Late(r"(?:^|[\s(&|,])not[\s(]|^[~!]|^\^?\(\?!|!=|!~|(?:^|,)!", needs=("not|!|~",)).search
_OFF = frozenset({"false", "0", "no"})


def test_run(runner: str, row: str, args: tuple[str, ...]) -> Meaning:
    """A run of tests with what its arguments say; `row` is the runner's in `ROWS`."""
    meaning = Meaning(CommandKind.TEST, runner)
    read_flags(meaning, args, row)
    return meaning


def lines_of_files(meaning: Meaning) -> None:
    """`spec/a_spec.rb:12` is one test of the file."""
    lines = [target for target in meaning.targets if ":" in target and target.rpartition(":")[2].isdigit()]
    meaning.targets = tuple(target.partition(":")[0] if target in lines else target for target in meaning.targets)
    meaning.selected = " ".join(filter(None, (meaning.selected, *lines)))


def read_flags(meaning: Meaning, args: tuple[str, ...], runner: str) -> None:
    """Fill in what the arguments say of targets, selection, listing and watching."""
    reader = _Reader(flags_of(runner))
    index = 0
    while index < len(args):
        word = args[index]
        index += reader.take(word, args[index + 1] if index + 1 < len(args) else None)
    meaning.targets = (*meaning.targets, *reader.targets)
    meaning.selected = _together(meaning.selected, reader.selected)
    meaning.deselects = _together(meaning.deselects, reader.deselects)
    meaning.collects_only = meaning.collects_only or reader.collects
    meaning.watch = meaning.watch or reader.watch


def _together(before: str, more: list[str]) -> str:
    return " ".join((before, *more) if before else more)


class _Reader:
    """Collects what one option after the other says."""

    __slots__ = ("collects", "deselects", "flags", "selected", "targets", "watch")

    def __init__(self, flags: Flags) -> None:
        self.flags = flags
        self.selected: list[str] = []
        self.deselects: list[str] = []
        self.targets: list[str] = []
        self.collects = self.watch = False

    def take(self, word: str, following: str | None) -> int:
        """Read one word, and the next if it is its value. Returns how many were read."""
        if word == "--" or not word:
            return 1
        if word[0] != "-" or len(word) == 1:
            self._positional(word)
            return 1
        name, equals, value = word.partition("=")
        if not equals and ":" in word and word.partition(":")[0] + ":" in self.flags.select | self.flags.deselect:
            name, equals, value = word.partition(":")
        elif (
            not equals
            and not word.startswith("--")
            and name not in self.flags.known
            and len(word) > 2
            and word[:2] in self._valued()
        ):
            name, equals, value = word[:2], "=", word[2:]
        return self._option(word, name, value if equals else None, following)

    def _valued(self) -> frozenset[str]:
        return self.flags.select | self.flags.deselect

    def _option(self, word: str, name: str, value: str | None, following: str | None) -> int:
        flags = self.flags
        taken = 1
        if name in flags.select or name in flags.deselect or name in flags.values:
            if (
                value is None
                and following is not None
                and (not following.startswith("-") or name in flags.select | flags.deselect)
            ):
                value, taken = following, 2
            self._selection(name, value or "")
        elif name in flags.alone:
            self.selected.append(word)
        on = value is None or value.lower() not in _OFF
        self.collects = self.collects or (name in flags.collect and on)
        self.watch = self.watch or (name in flags.watch and on)
        return taken

    def _selection(self, name: str, value: str) -> None:
        text = f"{name} {_quoted(value)}" if value else name
        if name in self.flags.deselect or (name in self.flags.select and (_NEGATIVE(value) or value[:1] == "-")):
            self.deselects.append(text)
        elif name in self.flags.select:
            self.selected.append(text)

    def _positional(self, word: str) -> None:
        if self.flags.positional == "path":
            path, colons, node = word.partition("::")
            if path not in ("./...", "..."):  # Go's "all of it"
                self.targets.append(path.removesuffix("/..."))
            if colons:
                self.selected.append(f"::{node}")
        elif self.flags.positional == "name":
            self.selected.append(word)


def _quoted(value: str) -> str:
    return f"'{value}'" if " " in value or not value else value
