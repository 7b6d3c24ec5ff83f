"""Tables of programs, a row each: wrappers, runners, and what a call of any other is for. Sources: their own `--help`."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


def words(text: str) -> frozenset[str]:
    """The words of a row."""
    return frozenset(text.split())


def _by_name(table: str) -> dict[str, list[str]]:
    """The other cells of a row, by each name of its first; they are read when they are needed."""
    rows = [row.split(" |") for row in table.strip().splitlines()]
    return {name.replace("+", " "): row[1:] for row in rows for name in row[0].split()}


#: program | words to pass over | options with a value. `uv+run` is `uv run`; a folder among them moves the command there.
_WRAPPERS = """
timeout gtimeout | 1 | -s --signal -k --kill-after
env genv cross-env cross-env-shell nohup setsid stdbuf unbuffer command builtin exec noglob caffeinate time gtime nice ionice sudo doas xvfb-run xcrun arch xargs gxargs su script flock watch entr watchexec parallel rtk+proxy rtk+test rtk+err rtk | 0 | -u -C -D -f -g -I -L -n -N -o -P -s -j --adjustment --chdir --file --group --max-args --max-procs --user
uv+run uvx pdm+run rye+run pixi+run hatch+run honcho+run foreman+run conda+run mamba+run micromamba+run poetry+run pipenv+run bundle+exec rbenv+exec pyenv+exec asdf+exec opam+exec uv+tool+run go+tool coverage+run nyc c8 | 0 | --with --with-requirements --with-editable --python -p --extra --group --only-group --env-file --directory --project --package --index --from -e --environment -n --name --prefix --cwd --switch --gemfile --rcfile --source --include --omit --data-file --reporter -r --exclude -x
npx pnpx bunx bun+x npm+exec pnpm+exec pnpm+dlx yarn+exec yarn+dlx composer+exec corepack fvm lerna+exec mise+exec mise+x doppler+run op+run dotenvx+run infisical+run nix+develop nix+shell nix-shell devcontainer+exec dotenv | 0 | -e -p --package -w --workspace --prefix -c --call --scope --workspace-folder -C --cd --project --config -f --env-file --env
yarn+workspace direnv+exec chroot docker+exec podman+exec docker+run podman+run docker+compose+exec docker+compose+run docker-compose+exec docker-compose+run kubectl+exec | 1 | -e --env --env-file -v --volume --mount -w --workdir -u --user -p --publish --name --network -h --entrypoint -m --platform --gpus -n --namespace -c --container --workspace-folder
ssh | 1 | -b -c -D -E -F -i -J -L -l -m -O -o -p -R -S -W
wsl | 0 | -d --distribution -u --user --cd --shell-type
"""
_WRAPPER = _by_name(_WRAPPERS)
_STRONG = words("git gh npm pnpm yarn bun node pytest jest vitest cargo go make gradle mvn python python3 ruff mypy eslint tsc docker uv poetry playwright phpunit rspec dotnet mix swift npx just")  # fmt: skip
#: calls (>runner, where that is called otherwise) | languages | options: + select, - leave out, +: select and take no value, ! only list, ~ watch, = take another value.
#: `names`: other words are names of tests and no paths; `none`: neither.
_RUNNERS = """
pytest py.test>pytest | python | + -k -m | - --deselect --ignore --ignore-glob | +: --lf --last-failed --sw --stepwise --testmon --ff | ! --collect-only --co --fixtures --markers --setup-plan | = -c -p -o -n -W -r --numprocesses --maxfail --tb --cov --cov-report --cov-config --cov-fail-under --durations --timeout --rootdir --confcutdir --junitxml --junit-xml --log-level --log-cli-level --color --capture --basetemp --dist --import-mode --html --ds --reruns
unittest trial green nose2 nosetests>nose | python | + -k -s --start-directory | = -t --top-level-directory -p --pattern | names
manage.py+test>django+test django-admin+test>django+test runtests.py>django+test | python | + --tag -k | - --exclude-tag | = --settings --pythonpath --parallel -v --verbosity | names
tox nox | python | + -k -m | = -s --session --sessions -e --env -c -f | ! --notest
ptw>pytest pytest-watch>pytest doctest hatch+test behave robot pabot>robot | python | + -k -m -n --name -i --include -t --tags --test -s --suite | - -e --exclude | ! --dry-run --dryrun | ~ ptw pytest-watch | = -f -o -D -d --outputdir -v --variable
jest react-scripts+test craco+test test-storybook | javascript | + -t --testNamePattern --testPathPattern --testPathPatterns --shard --selectProjects --changedSince | - --testPathIgnorePatterns | +: -o --onlyChanged -f --onlyFailures --findRelatedTests | ! --listTests --showConfig --clearCache | ~ --watch --watchAll | = -c --config --rootDir --maxWorkers -w --testTimeout --reporters --coverageDirectory --coverageReporters --env --outputFile --collectCoverageFrom --projects
vitest | javascript | + -t --testNamePattern --project --shard --dir | - --exclude | +: --changed related | ! list --listTests --clearCache | ~ watch dev --watch -w --ui | = -c --config -r --root --reporter --outputFile --pool --environment --maxWorkers --testTimeout --mode --bail --retry | : run
mocha _mocha>mocha ts-mocha>mocha electron-mocha>mocha hardhat+test | javascript | + -g --grep -f --fgrep | - --exclude --ignore | ! --dry-run --list-files | ~ -w --watch | = -R --reporter -r --require -t --timeout --config --file -u --ui --extension --retries -j --jobs --spec -n --import
node+--test borp>node+--test bun+test deno+test | javascript | + --test-name-pattern -t --filter | - --test-skip-pattern --ignore | +: --test-only --only | ! --no-run | ~ --watch --hot | = --test-reporter --test-reporter-destination --import -r --require --loader --test-concurrency --test-timeout --timeout --preload --reporter --cwd -c --config --import-map --coverage
playwright+test>playwright | javascript | + -g --grep --project --shard --only-changed | - -gv --grep-invert | +: --last-failed | ! --list | ~ --ui | = -c --config -j --workers --reporter --retries --timeout --output --trace --browser
cypress+run>cypress ng+test ng+e2e karma+start>karma karma+run>karma | javascript | + --grep --include -s --spec | - --exclude | = --browsers --reporters -b --browser -c --config -C -e --env -P --project -r --reporter | none
ava tap tape jasmine uvu wdio web-test-runner wtr>web-test-runner testcafe nightwatch cucumber-js ember+test newman+run>newman detox+test>detox stryker+run>stryker elm-test vue-cli-service+test:unit wp-scripts+test-unit-js | javascript
go+test gotestsum ginkgo | go | + -run --run --focus -focus --label-filter | - -skip --skip | ! -list -n --dry-run | ~ watch | = -bench -benchtime -count -timeout -tags -coverprofile -covermode -coverpkg -cpu -parallel -o -exec -p -vet -shuffle -ldflags -gcflags -mod -fuzz -fuzztime -C --format -f --packages --junitfile --jsonfile --timeout --seed --tags
cargo+test cargo+t>cargo+test cargo+nextest+run>cargo+nextest cargo+nextest+r>cargo+nextest cargo+nextest+list>cargo+nextest cargo+tarpaulin cargo+llvm-cov cargo+miri+test cargo+hack+test | rust | + -p --package --test --bin --example --bench -E --filter-expr --partition | - --exclude --skip | +: --lib --doc --bins --ignored --exact | ! --no-run --list list | = -F --features --target --target-dir --manifest-path --profile -P -j --jobs --color --message-format --config -Z --test-threads --format --retries | names
dotnet+test dotnet+vstest>dotnet+test | dotnet | + --filter --filter-method --filter-class --treenode-filter | - --filter-not-class --filter-not-method | ! -t --list-tests | = -c --configuration -f --framework -l --logger -v --verbosity -o -r --results-directory --settings -s --collect -a -e --project
rspec parallel_rspec>rspec turbo_tests>rspec | ruby | + -e --example -E -t --tag -P --pattern | - --exclude-pattern | +: --only-failures -n --next-failure | ! --dry-run | = -f --format -r --require -I -o --out --seed --order
minitest rails+test rails+t>rails+test rails+test:system>rails+test rails+test:all>rails+test cucumber | ruby c | + -n --name -t --tags | - -e --exclude | ! --dry-run -d | = -s --seed -I -r -f --format --require -p
phpunit simple-phpunit>phpunit paratest>phpunit pest artisan+test sail+test>artisan+test codecept+run>codeception behat phpspec+run>phpspec | php | + --filter --group --testsuite | - --exclude-group --exclude-filter --exclude-testsuite | +: --dirty --retry | ! --list-tests --list-groups --list-suites | = -c --configuration --bootstrap --log-junit --coverage-html --coverage-text --coverage-clover -d --order-by
ctest | c | + -R --tests-regex -L --label-regex -I | - -E --exclude-regex -LE --label-exclude | +: --rerun-failed | ! -N --show-only --print-labels | = -j --parallel --test-dir -C --build-config --timeout -O --output-junit --preset -T -M -D --repeat | none
bats shellspec bashunit shunit2 | shell | + -f --filter --filter-tags | ! -c --count | = -F --formatter -j --jobs -o --output
Invoke-Pester>pester | powershell | + -FullNameFilter -TestName -Tag -TagFilter | - -ExcludeTag -ExcludeTagFilter -ExcludePath | = -Output -Show -Configuration -CodeCoverage -OutputFile -OutputFormat
mix+test mix+precommit>mix+test mix+test.watch>mix+test mix+coveralls>mix+test mix+coveralls.html>mix+test | elixir | + --only | - --exclude | +: --failed --stale | ~ test.watch | = --include --seed --max-failures --max-cases --timeout
swift+test tuist+test | swift | + --filter -s | - --skip | ! --list-tests -l list | = --package-path --num-workers --xunit-output --build-path -c -Xswiftc | none
xcodebuild+test xcodebuild+test-without-building>xcodebuild+test | swift | + -only-testing | - -skip-testing | = -scheme -destination -project -workspace -configuration -sdk -derivedDataPath -resultBundlePath -testPlan | none
flutter+test flutter+drive dart+test | dart | + --name --plain-name -n -N -t --tags | - -x --exclude-tags | = -r --reporter -j -d --timeout --dart-define -p
forge+test forge+coverage snforge+test | solidity | + --match-test --mt --match-contract --mc --match-path --mp | - --no-match-test --nmt --no-match-contract --nmc --no-match-path | ! --list -l | = --fork-url -f --rpc-url --root --fuzz-runs | names
nix+flake+check ceedling+test:all meson+test cabal+test stack+test Setup.hs+test dune+test dune+runtest dune+build+@runtest>dune+runtest rebar3+eunit rebar3+ct zig+test zig+build+test crystal+spec prove busted testthat R+CMD+check gleam+test lein+test act terraform+test bazel+test bazelisk+test pants+test buck2+test pio+test platformio+test>pio+test helm+unittest opa+test maestro+test |
"""
#: What `npm test -- …` hands on to a runner that nobody knows; also of runners without options in the table.
_COMMON = " + -t --testNamePattern --testPathPattern --testPathPatterns -g --grep -k -m --match --filter --spec --project -run --shard --tests --scope -Dtest -Dit.test -Dgroups -w --workspace -F --only -pl --projects | - --exclude --ignore --deselect --testPathIgnorePatterns --grep-invert --skip --exclude-group -DexcludedGroups | +: --onlyChanged --changed --lf --last-failed --onlyFailures | ! --listTests --collect-only --co --list --list-tests --showConfig --dry-run --just-print | ~ --watch --watchAll --ui --continuous | = --prefix -C --dir --cwd -d -p --project-dir --loglevel -c --config --maxWorkers --reporter --reporters --timeout --testTimeout --env --browser -j --workers --retries --tb --maxfail -n"  # fmt: skip
#: "go test" -> the runner's name, its languages, and its options.
_CALLS = [(key.partition(">"), cells) for key, cells in _by_name(_RUNNERS).items()]
RUNNERS = {call: (name or call, *cells) for (call, _, name), cells in _CALLS}


def options(cells: Sequence[str] = ()) -> dict[str, frozenset[str]]:
    """A runner's options by the marks of the table; those of `_COMMON` where it has none."""
    rows = (cell.strip().partition(" ") for cell in cells or _COMMON.split(" |"))
    return {mark: words(rest) for mark, _, rest in rows}


#: programs | mark,mark:kind … kind: the first mark that stands among the words says the kind, else the last word.
_TOOLS = """
mypy dmypy pyright basedpyright pyre pytype ty pyrefly vue-tsc svelte-check tsgo flow srb phpstan psalm dialyzer | --watch,-w:server typecheck
tsc | -w,--watch:server --noEmit,--no-emit:typecheck --init:edit --showConfig:read build
flake8 pylint pycodestyle pydocstyle bandit vulture py_compile compileall json.tool staticcheck revive gosec errcheck fieldalignment modernize govulncheck shellcheck hadolint yamllint actionlint cspell codespell typos commitlint knip depcheck madge detekt checkstyle clang-tidy cppcheck phpcs luacheck selene hlint brakeman gitleaks semgrep pip-audit slither pyflakes lychee vale pre-commit prek lefthook lint-staged husky | sync,install,autoupdate,uninstall:install lint
eslint eslint_d stylelint biome oxlint xo standard markdownlint markdownlint-cli2 swiftlint textlint rubocop standardrb ktlint gofmt goimports gofumpt gci golangci-lint sqlfluff | --fix,-a,-A,--auto-correct,--autocorrect,-x,-F,-w,-write,write,fmt,fix,--write,--apply,--unsafe:format --print-config,linters:read migrate,init:edit check,ci:lint lint
ruff | --fix,--unsafe-fixes:format check,--check,--diff:lint format:format rule,config,linter,clean:read lint
black isort docformatter pyupgrade autoflake yapf autopep8 rustfmt stylua taplo dprint ormolu fourmolu elm-format scalafmt csharpier nixfmt alejandra ocamlformat pint ecs php-cs-fixer rector swiftformat | --check,--check-only,-c,--diff,-d,check,--test,--validate,lint,--lint,-l,--list,--dry-run,-n:lint format
prettier prettierd shfmt clang-format cmake-format swift-format google-java-format | --check,-c,--list-different,-l,-d,--diff,--dry-run,--Werror:lint --write,-w,-i,--in-place,--replace:format read
build gcc g++ cc c++ clang clang++ rustc javac kotlinc scalac ghc ocamlc ocamlopt nvcc ld swiftc msbuild qmake autoreconf scons configure pyinstaller maturin sphinx-build latexmk pdflatex typst mkdocs mdbook hugo goreleaser electron-builder unbuild tsdown microbundle emcc wasm-pack erlc | serve,server:server build
vite next nuxt nuxi astro storybook vitepress docusaurus gatsby tauri wails expo react-native ionic | build,export,generate,prebuild:build lint:lint typecheck,check:typecheck add,install:install info:read init,sync:edit server
webpack webpack-cli rspack rsbuild rollup tsup esbuild parcel swc babel sass postcss tailwindcss eleventy jekyll ng vue-cli-service react-scripts craco nest ember | --watch,-w,watch,serve,server,dev,start,s:server lint:lint generate,g,new:edit build
docker docker-compose podman nerdctl | --exit-code-from:test -d,--detach,down,stop,rm,kill,restart:other build,buildx:build ps,images,logs,inspect,info,config:read pull:install up:server test,tests:test other
pip pip3 conda mamba brew gem apt dpkg apt-get apk yum dnf pacman choco scoop winget nvm fnm volta asdf rustup pyenv rbenv luarocks pipx venv virtualenv bundle bundler opam corepack xcode-select | list,ls,show,freeze,check,info,search,config,env,activate,current,which,versions,outdated:read wheel:build install
cmake xcodebuild ninja setup.py | test,tests,check,RUN_TESTS:test clean:other -E,-list,-showBuildSettings,-showsdks:read analyze:lint install,develop:install build
cargo | run:script build,b,rustc,doc,package:build check,c:typecheck --fix,fix:format clippy,deny,audit,machete:lint --check:lint fmt:format install,add,remove,update,fetch:install tree,metadata,search:read new,init:edit watch:server other
go | run:script vet:lint build:build get,mod,work,install:install fmt,fix:format generate:edit list,env,version,doc:read other
dotnet | --verify-no-changes:lint format:format build,publish,pack,msbuild:build run,watch:server restore,add,remove,tool:install list,--info:read new:edit other
swift zig dart flutter deno gleam crystal mix meson stack cabal dune rebar3 lein forge hardhat bazel bazelisk buck2 pants | run:script build,build-exe,compile,release,escript.build,setup:build lint,analyze,credo,--check,--check-formatted,--set-exit-if-changed:lint check,dialyzer:typecheck fmt,format:format package,pub,add,install,cache,deps,deps.get,deps.update:install doctor,devices,env,info,doc,query:read serve,phx.server,attach:server create,new:edit other
uv poetry pdm pipenv rye pixi flit hatch | --check,--diff:lint fmt,format:format sync,add,remove,lock,pip,venv,tool,install,update:install build:build init,new:edit tree,show,env,cache,list:read other
rails artisan manage.py django-admin | shell,runner,tinker:script serve,server,s,runserver,runserver_plus,queue:work,horizon:server generate,g,destroy,makemigrations,startapp,startproject,new:edit routes,about,stats,list,showmigrations,sqlmigrate:read check:lint assets:precompile:build other
npm pnpm yarn bun composer mise | install,i,ci,add,update,up,upgrade,remove,rm,uninstall,link,dedupe,prune,fetch,require,use,dump-autoload,import,approve-builds,trust:install ls,list,view,info,show,why,explain,outdated,root,bin,config,get,audit,whoami,search,help,doctor,fund,licenses,pm,store:read init,create,pkg,version:edit other
uvicorn gunicorn hypercorn daphne celery flask streamlit gradio http.server http-server live-server serve browser-sync json-server nginx redis-server postgres mongod ngrok jupyter nodemon chokidar onchange air puma sidekiq supervisord ganache anvil Xvfb foreman honcho pm2 caddy ollama | routes,list,ls,status,inspect:read --execute,execute,shell:script server
tail journalctl | -f,-F,--follow:server read
coverage ls ll cat bat head less more wc grep egrep fgrep zgrep rg ag ack fd tree eza lsd stat file du df diff delta cmp comm sort uniq cut tr awk gawk sed gsed jq yq xq column paste nl tac fold od xxd hexdump md5 md5sum sha1sum sha256sum shasum base64 basename dirname realpath readlink pwd which type whereis man tldr help echo printf print date uptime whoami id hostname uname env printenv locale ps pgrep top htop lsof netstat ss ping dig free sleep true false test [ [[ : cd chdir pushd popd set unset export declare local readonly alias shopt source . read wait jobs fg bg disown ulimit history seq yes expr bc let cloc tokei nm objdump otool zcat pdftotext identify ffprobe tput clear exit return break continue shift mapfile compgen open xdg-open say xargs find command xmllint strings rev time wsl script gt Get-Content Get-ChildItem Select-String Write-Host Write-Output Get-Process Test-Path Select-Object Where-Object ForEach-Object Set-Location Push-Location Pop-Location where findstr | read
touch truncate patch apply_patch tee sponge sd dos2unix unix2dos ed ex mv cp rm unlink install ln dd rename trash shred | edit
"""
_SPLIT = [row.rpartition(" | ") for row in _TOOLS.strip().splitlines()]
TOOLS = {name: marks for names, _, marks in _SPLIT for name in names.split()}
ASKS = words("--version --help -help -version -h")
#: runners of named tasks | options with a value | 1: the words behind the first name are the task's.
_TASK_RUNNERS = """
make gmake mingw32-make bmake | -C -f -I -o -W -k -l --directory --file --makefile |
task go-task rake | -d --dir -t --taskfile -c -o --output -f -R |
just mise+run mise+r mise+tasks+run mise poe fastlane fastlane+ios fastlane+android deno+task deno+run cargo+xtask cargo+make | -f --justfile -d --working-directory --set -E -C --cd -j --jobs -o --output --env --cwd | 1
npm+run npm+run-script npm pnpm+run pnpm yarn+run yarn yarn+workspace yarn+workspaces+foreach+run bun+run bun node+--run composer+run composer+run-script composer | --prefix -C --dir --cwd --filter -F -w --workspace --filter-prod --loglevel --reporter -d --working-dir | 1
turbo+run turbo nx+run-many nx+affected lerna+run run-s run-p npm-run-all npm-run-all2 moon+run melos+run | --filter -F --concurrency --cwd --scope --max-parallel --parallel -p --projects |
nx nx+run hatch+run pdm+run pipenv+run poetry+run rye+run pixi+run uv+run | -c --configuration -e --env | 1
invoke inv fab doit mage grunt gulp jake ant | -c -r -f |
gradle mvn sbt | -p --project-dir -b -c -g -I --init-script -x --exclude-task --tests -P -D --console --max-workers -f --file -pl --projects -s --settings -T --threads |
"""
TASK_RUNNERS = _by_name(_TASK_RUNNERS)
TASK_LANGUAGES = {"gradle": ("jvm",), "mvn": ("jvm",), "sbt": ("jvm",), "composer": ("php",), "rake": ("ruby", "c"), **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), ("javascript",))}  # fmt: skip
#: Tasks whose names have a meaning of their own, and what the words of any other name say, in the order in which they are asked.
KNOWN_TASKS = {
    "make": "build", "make all": "build", "make default": "build", "rake": "test", "yarn": "install", "gradle build": "build test", "gradle check": "test",
    "mvn integration-test": "test", "mvn package": "build test", "mvn verify": "build test", "mvn install": "build test", "mvn deploy": "build test", "mvn test-compile": "build",
    "mvn clean": "other", "npm t": "test", "npm ci": "install", "pnpm ci": "install", "bun ci": "install", "composer validate": "lint", "mvn spring-boot:run": "server", "mvn compile": "build", "gradle clean": "other", "sbt testOnly": "test", "gradle bootRun": "server", "gradle run": "server", "sbt run": "server", "fastlane scan": "test",
}  # fmt: skip
TASK_WORDS = {
    "typecheck": words("typecheck typechecks typechecking typechecker tsc mypy pyright dialyzer phpstan psalm tsgo"),
    "format": words("format formats formatting fmt prettier black gofmt rustfmt spotless reformat beautify"),
    "lint": words("lint lints linter linters linting eslint stylelint flake8 pylint clippy rubocop vet shellcheck golangci oxlint knip ktlint detekt checkstyle swiftlint phpcs credo spellcheck style biome ruff"),
    "server": words("dev start serve server preview watch storybook develop serving runserver up open"),
    "other": words("install setup bootstrap deps dependencies init prepare postinstall release publish deploy generate gen codegen seed migrate migration migrations db database clean update upgrade create new log logs report reports debug reset remove delete kill stop down env add show print version docs doc download fetch pull push sync upload fixtures data wait backup bump tag shell console record snapshot copy list"),
    "build": words("build builds compile compiles bundle package dist assemble classes jar war rebuild transpile webpack rollup esbuild binary"),
    "test": words("test tests spec specs pytest jest vitest mocha unittest unittests unit e2e cypress playwright coverage cov smoke regression testall runtests runtest ctest gotest testing integration functional acceptance selftest itest utest karma rspec phpunit pest testcov testsuite ava functest eunit doctest mutation"),
}  # fmt: skip
#: "test-data", "test:db:up": about tests, and no run of them.
BESIDE_TESTS = words("setup teardown server data db fixture fixtures deps image images report reports result results clean cleanup env up down logs harness helper helpers util utils config lib mock mocks template generator gen create list show prepare seed container containers stack infra page user account email")  # fmt: skip
SCRIPT_ENDS = words("sh bash zsh fish ps1 bat cmd py js mjs cjs ts mts tsx rb pl php lua exs jl r R")  # fmt: skip
SHELLS = words("bash sh zsh dash ksh ash fish bash.exe")
#: Interpreters of files, options that take a value, and those that give code in the line.
INTERPRETERS = {
    "python": ("-W -X", "-c"), "node": ("-r --require --import --loader --env-file --conditions -C", "-e --eval -p --print -pe"), "java": ("-cp -classpath", "-"), "ruby": ("-I -r -E", "-e"), "perl": ("-I -M", "-e -E -ne -pe -lne -0777"), "php": ("-d -c -f", "-r"),
    "emacs": ("-l -f", "--eval"), **dict.fromkeys(words("ipython papermill pwsh tsx ts-node bun Rscript julia lua swift elixir osascript clojure groovy runghc scala"), ("-M -r -P --tsconfig --cwd --preload", "-e -E -c")), **dict.fromkeys(SHELLS, ("-o -O --rcfile", "-c")),
}  # fmt: skip
#: Marks in the words of an interpreter that say that it runs tests.
INLINE_TESTS = {"pytest.main": "pytest", "testthat": "testthat", "devtools::test": "testthat", "Pkg.test": "julia Pkg.test", "junit-platform-console": "junit", "JUnitCore": "junit", "rcmdcheck": "R CMD check", "devtools::check": "R CMD check", "-M:test": "clojure test", "ert-run-tests": "ert"}  # fmt: skip
GIT_READS = words("status log diff show blame grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog cat-file show-ref for-each-ref merge-base check-ignore var help fsck range-diff diff-tree cherry symbolic-ref name-rev")  # fmt: skip
GIT_LISTS = words("branch tag remote config worktree submodule notes stash")
GIT_LOOKS = words("-l --list -a -r -v -vv --all --remotes --show-current --contains --merged --no-merged -n list show status get-url --get --get-all get --sort")  # fmt: skip
GIT_STILL = words("--help -h --dry-run --abort --quit --skip --cached --check --stat --numstat")
GIT_TREES = words("merge pull cherry-pick revert rebase am")
GIT_VALUES = words("-o --push-option --repo -m --message -F --file -C -c --author --date -t --template --trailer --fixup --squash -b -B --orphan --source --reason -S --suffix --target-directory --mode --size -R --hostname")  # fmt: skip
FORGES = ("gh", "glab", "hub", "tea", "az", "curl")
#: kind | what a call's words say, after "gh pr create" or the like; the first row that fits.
_FORGE_ROWS = r"""
read | ^\w+ .* (?:--help|-h|--dry-run)(?: |$)
pr_create | ^\w+ (?:(?:pr|mr|pulls?) (?:create|new)|pull-request)|createPullRequest\(|^curl (?=.*/(?:pulls|merge_requests)(?:[?"' ]|$)).* (?:-X ?POST|-d|--data\S*|--json)\b|^gh api .*/pulls (?=.* (?:-X|--method|-[fF]|--input)[= ])
pr_merge | ^\w+ (?:pr|mr|pulls?) merge|mergePullRequest|/(?:pulls|merge_requests)/\d+/merge\b
pr_comment | ^\w+ (?:pr|mr|pulls?) (?:comment|note|review|edit|update|ready|close|reopen|approve)|^gh api .*/(?:pulls|merge_requests)/.* (?:-[fFdX]|--(?:raw-)?field|--method)[= ]
pr_checks | ^\w+ (?:pr|mr) checks|^\w+ (?:run|workflow|ci|pipelines?|job) (?:watch|view|list|ls|download|status|trace|get|runs)|^hub ci-status|statusCheckRollup|check-?[sS]uites|check-runs|/actions/(?:runs|jobs)|/statuses|/status\b|/pipelines
pr_view | ^\w+ (?:pr|mr|pulls?) (?:view|show|list|ls|status|diff)|^gh api .*(?:/pulls|/merge_requests|pullRequest)\b
issue | ^\w+ issues? |^gh api .*/issues\b
read | ^curl|^gh api|^\w+ (?:status|search|browse|auth|config)\b|^\w+ [\w-]+ (?:view|list|status|show)\b
"""
FORGE_KINDS = [row.split(" | ", 1) for row in _FORGE_ROWS.strip().splitlines()]


def program(word: str) -> str:
    """The name of a program without its folder and Windows' suffix; every Python is "python"."""
    name = word.replace("\\", "/").rpartition("/")[2]
    name = name[:-4] if name[-4:] in (".exe", ".cmd", ".bat") else name
    if name[:6] == "python" and not name[6:].strip(".0123456789t"):
        return "python"
    return {"nodejs": "node", "py": "python", "gradlew": "gradle", "mvnw": "mvn", "mvnd": "mvn"}.get(name, name)  # fmt: skip


def after_options(argv: tuple[str, ...], start: int, values: frozenset[str]) -> int:
    """Index of the first word from `start` that is neither an option nor an option's value; `--` is passed over."""
    while start < len(argv):
        word = argv[start]
        if word == "--" or word[:1] != "-" or len(word) < 2:
            return start + (word == "--")
        start += 2 if word in values else 1
    return len(argv)


def option(argv: tuple[str, ...], names: frozenset[str]) -> str:
    """The value of the first of the options, written `-C dir`, `--cwd dir` or `--cwd=dir`; "" for none."""
    for index, word in enumerate(argv):
        name, equals, value = word.partition("=")
        if name in names and name[:1] == "-":
            return value if equals else "".join(argv[index + 1 : index + 2])
    return ""


_GLOBAL = words("-C -c -f -F -n -w -H -p --directory --project --file --prefix --dir --cwd --filter --workspace --namespace --context --config --manifest-path --cd --project-name --env-file")  # fmt: skip


def lookup(table: Mapping[str, object], name: str, argv: tuple[str, ...]) -> tuple[str, int]:
    """The longest of "docker compose exec", "docker compose", "docker" that the table has, and where its own words begin."""
    found, key, at = ("", 1), name, 1
    for _ in range(4):
        found = (key, at) if key in table else found
        at = after_options(argv, at, _GLOBAL)
        if at >= len(argv):
            return found
        key, at = f"{key} {argv[at]}", at + 1
    return (key, at) if key in table else found


class Inside(NamedTuple):
    """What a call starts, seen through wrappers: a command, or scripts for a shell."""

    argv: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    folder: str = ""


def inside(argv: tuple[str, ...], heredoc: str = "") -> Inside:
    """`timeout 60 uv run pytest -q` is `pytest -q`; `docker exec app sh -lc 'a; b'` is the script `a; b`."""
    seen = Inside(argv)
    for _ in range(9):
        step = _step(seen.argv, program(seen.argv[0]), heredoc) if seen.argv else None
        if step is None:
            break
        seen = step._replace(via=seen.via + step.via, folder=step.folder or seen.folder)
    return seen


def _step(argv: tuple[str, ...], name: str, heredoc: str) -> Inside | None:
    if name in SHELLS:
        return _shell(argv, name, heredoc)
    if name == "eval":
        return Inside(scripts=(" ".join(argv[1:]),), via=(name,))
    if name in ("powershell", "pwsh", "cmd"):
        for at, word in enumerate(argv[1:], 1):
            if word.lower() in ("-command", "-c", "/c", "//c"):
                return Inside(scripts=(" ".join(argv[at + 1 :]),), via=(name,))
            if word.lower().endswith(".ps1"):
                return Inside(argv[at:], via=(name,))
    if name[:1] == "$" and argv[1:2] in (("=",), ("+=",)) and argv[3:]:
        return Inside(argv[2:], via=("=",))  # PowerShell: $r = Invoke-Pester -Path tests
    if name == "python" and "-m" in argv[: after_options(argv, 1, words("-W -X -m"))]:
        return Inside(argv[argv.index("-m") + 1 :], via=("python -m",))
    return _wrapped(argv, name, heredoc)


def _shell(argv: tuple[str, ...], name: str, heredoc: str) -> Inside | None:
    """`bash -lc 'script'`, `bash <<EOF`."""
    start = after_options(argv, 1, words("-o -O --rcfile -eo -euo -uo"))
    flags = "".join(word for word in argv[1:start] if word[:1] == "-" and word[:2] != "--")
    fed = heredoc and (argv[start : start + 1] in ((), ("-",)) or "s" in flags)
    scripts = argv[start : start + 1] if "c" in flags else (heredoc,) if fed else ()
    return Inside(scripts=scripts, via=(f"{name} -c",)) if scripts else None


#: Wrappers that take the command as one string by an option, or as all of their words.
_BY_OPTION = words("su script flock nix-shell npx env")
_ALL_WORDS = words("ssh watch parallel entr")


def _wrapped(argv: tuple[str, ...], name: str, heredoc: str) -> Inside | None:
    """By the table: `uv run --with x pytest`, `docker compose -f a.yml exec web pytest`."""
    key, begin = lookup(_WRAPPER, name, argv)
    if not key:
        behind = argv[argv.index("--") + 1 if "--" in argv else 1 :]
        named = name == "git" or any(lookup(t, name, argv)[0] for t in (TOOLS, INTERPRETERS, TASK_RUNNERS, RUNNERS))  # fmt: skip
        return Inside(behind, via=(name,)) if behind[:1] and behind[0] in _STRONG and not named else None  # fmt: skip
    skip, values = int(_WRAPPER[key][0]), words(_WRAPPER[key][1])
    start = after_options(argv, begin, values)
    start = after_options(argv, start + skip, values if skip else frozenset())
    while start < len(argv) and argv[start].partition("=")[0].isidentifier() and "=" in argv[start]:
        start += 1
    told = [at for at, word in enumerate(argv) if word in ("--", "-c", "--command")]
    start = told[0] + 1 if name in ("nix", "mise") and told else start
    folder = option(argv[1:start], words("--directory -C --cwd --cd --chdir --prefix"))
    own = argv[: start + 1] if name in ("npx", "env") else argv  # `npx jest -c a.js`
    script = option(own, words("-c --command --run -qc -qec --call -S")) * (name in _BY_OPTION)
    if script := (" ".join(argv[start:]) or heredoc) if name in _ALL_WORDS else script:
        return Inside(scripts=(script,), via=(key,), folder=folder)
    if not argv[start:] or (name == "command" and argv[1][:2] in ("-v", "-V")):
        return None
    rest = argv[start:]
    if name in ("npx", "pnpx", "bunx", "pnpm", "yarn", "corepack"):  # jest@29, @scope/tool@1
        rest = (rest[0][:1] + rest[0][1:].partition("@")[0], *rest[1:])
    return Inside(rest, via=(key,), folder=folder)
