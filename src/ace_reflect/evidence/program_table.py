"""Programs that need no reading of arguments beyond a few marks: linters, formatters, builders, installers, servers, looks."""

from ace_reflect.evidence.facts import CommandKind


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _kinds(**words: str) -> dict[str, CommandKind]:
    return {word: CommandKind(kind) for kind, names in words.items() for word in names.split()}


#: program -> kind of every call of it
KINDS: dict[str, CommandKind] = _kinds(
    lint=(
        "flake8 pylint pycodestyle pydocstyle bandit vulture radon xenon pyroma interrogate ruff-lsp eslint_d xo semistandard jshint jscs tslint "
        "golangci-lint staticcheck revive golint gosec errcheck ineffassign deadcode nilaway govulncheck gocyclo fieldalignment modernize unparam "
        "shellcheck checkbashisms hadolint dockle yamllint yaml-lint actionlint zizmor cfn-lint tflint tfsec trivy checkov ansible-lint kubeval kubeconform "
        "kube-linter helm-docs-lint spectral redocly vacuum proselint vale alex write-good cspell codespell typos misspell aspell commitlint knip "
        "ts-prune depcheck madge dependency-cruiser depcruise unimported publint attw size-limit bundlesize license-checker detekt checkstyle pmd "
        "spotbugs clang-tidy cppcheck cpplint cpp-linter iwyu oclint infer phpcs phpmd phplint parallel-lint deptrac luacheck selene hlint stan "
        "reek fasterer brakeman bundler-audit bundle-audit erb_lint erblint haml-lint slim-lint scss-lint sass-lint htmlhint html-validate tidy linkinator lychee "
        "markdown-link-check jsonlint check-jsonschema ajv dotenv-linter editorconfig-checker ec gitleaks detect-secrets trufflehog semgrep "
        "sonar-scanner snyk osv-scanner pip-audit safety slither solhint mythril protolint cmake-lint cmakelint credo ameba dogma elvis vint svlint "
        "verilator perlcritic lintr nbqa pa11y lighthouse axe lhci mdl remark alejandra-check statix deadnix"
    ),
    typecheck=(
        "mypy dmypy pyright basedpyright pyre pytype ty pyrefly zuban vue-tsc svelte-check tsgo flow srb steep phpstan psalm phan dialyzer glint "
        "tsd dtslint expect-type"
    ),
    install=(
        "pip pip3 pipx conda mamba micromamba brew apt apt-get aptitude apk yum dnf zypper pacman yay emerge nix-env choco scoop winget port "
        "gem bundle bundler bower cpan cpanm luarocks opam pod carthage nuget paket rustup rustup-init nvm fnm volta asdf pyenv rbenv nodenv "
        "goenv corepack virtualenv venv ensurepip easy_install npm-check-updates ncu vcpkg conan shards elm-json spack snap flatpak pkg sdk sdkman "
        "xcode-select tfenv jabba pip-compile pip-sync pip-tools"
    ),
    build=(
        "vue-cli-build esbuild rollup tsup parcel microbundle pkgroll unbuild ncc pkg webpack-cli rspack rsbuild swc babel sass lessc postcss "
        "stylus uglifyjs terser browserify snowpack gcc g++ cc c++ clang clang++ tcc rustc javac kotlinc scalac ghc ocamlc ocamlopt ocamlbuild "
        "ocamlfind gfortran nvcc nasm as ld ar ranlib dmd ldc2 fpc gnatmake gprbuild nim valac vala cython mypyc nuitka pyinstaller cx_Freeze py2app "
        "maturin build msbuild xbuild devenv ndk-build cmake qmake autoreconf autoconf automake configure scons waf bjam b2 tup xmake premake5 gn "
        "electron-builder electron-forge electron-packager tauri sphinx-build jekyll-build latexmk pdflatex xelatex lualatex tectonic typst goreleaser "
        "ko buildah kaniko img emcc em++ emmake tinygo wasm-opt wasm-bindgen wat2wasm solc vyper circom nargo zokrates erlc elixirc luac glslc "
        "glslangValidator xcrun lipo codesign gomobile fyne wails docusaurus-build iscc makensis wix candle light rpmbuild dpkg-buildpackage debuild "
        "makepkg snapcraft flatpak-builder appimagetool"
    ),
    format=(
        "autopep8 yapf isort-fix pyupgrade autoflake docformatter add-trailing-comma gofumpt-fix golines gci google-java-format ktfmt "
        "php-cs-fixer-fix phpcbf rufo htmlbeautifier djlint-fix djhtml stylua ormolu fourmolu brittany stylish-haskell hindent elm-format purs-tidy "
        "refmt ocamlformat scalafmt csharpier nixfmt alejandra nixpkgs-fmt pg_format sql-formatter sqlfmt swiftformat clang-format cmake-format "
        "gersemi buildifier buildozer taplo shfmt js-beautify xmllint-format dprint terrafmt tidy-imports gdformat gdscript-formatter fantomas "
        "leptosfmt dx-fmt verible-verilog-format rustfmt gofmt goimports gofumpt"
    ),
    server=(
        "nodemon uvicorn gunicorn hypercorn daphne waitress-serve uwsgi celery dramatiq rq flask-run http.server http-server live-server "
        "serve browser-sync json-server webpack-dev-server nginx apache2 httpd caddy traefik redis-server postgres pg_ctl mongod mysqld memcached "
        "rabbitmq-server etcd minio ngrok cloudflared localtunnel jupyter jupyter-lab jupyter-notebook streamlit gradio chainlit ollama llama-server "
        "air realize reflex fresh overmind foreman honcho hivemind goreman mprocs puma unicorn rackup thin passenger sidekiq shotgun pm2 "
        "supervisord supervisorctl tsc-watch chokidar onchange watchman inotifywait fswatch watchmedo storybook start-storybook ladle histoire slidev "
        "marp vitepress docusaurus mailhog mailpit localstack temporal dapr anvil ganache ganache-cli geth solana-test-validator meilisearch typesense "
        "prometheus grafana-server vector otelcol adb emulator simctl scrcpy Xvfb x11vnc electron livereload sirv wscat"
    ),
    read=(
        "ls ll la dir cat bat batcat head less more wc grep egrep fgrep zgrep rg ag ack ugrep fd fdfind find tree eza exa lsd stat file du df dust "
        "ncdu diff colordiff delta difft icdiff cmp comm sort uniq cut tr awk gawk mawk nawk sed gsed jq gojq jaq yq xq dasel fx gron column paste nl tac "
        "rev fold fmt expand strings od xxd hexdump hd md5 md5sum sha1sum sha256sum sha512sum shasum cksum b2sum base64 basename dirname realpath "
        "readlink pwd which type whereis hash man info tldr help apropos whatis echo printf print date gdate cal uptime whoami id groups who w last "
        "hostname uname arch env printenv locale ps pgrep pstree top htop btop lsof netstat ss ip ifconfig ping dig nslookup host traceroute free vmstat "
        "iostat lscpu lsblk lspci nproc sleep true false test [ [[ : cd chdir pushd popd dirs set unset export declare local readonly typeset alias "
        "unalias shopt setopt unsetopt emulate autoload source . read wait jobs fg bg ulimit umask times history seq yes expr bc dc let getent cloc tokei "
        "scc loc nm objdump ldd otool size readelf zcat bzcat xzcat gunzip-l pdftotext pdfinfo exiftool identify mediainfo ffprobe tput clear reset exit "
        "return break continue shift getopts mapfile readarray compgen complete fc bind disown stty tty glow mdcat timedatectl journalctl dmesg sw_vers "
        "sysctl defaults system_profiler sw_vers dpkg-query dpkg rpm apt-cache pkg-config ldconfig xclip pbpaste pbcopy open xdg-open start say tokei onefetch hexyl "
        "strip-ansi ansi2txt iconv zipinfo lstopo pip-licenses pipdeptree cpuinfo mdls mdfind osascript egrep look whoami wmic tasklist where findstr ver "
        "Get-Content Get-ChildItem Select-String Write-Host Write-Output Get-Process Test-Path Select-Object Measure-Object Where-Object ForEach-Object "
        "nm-online assert usleep logname factor shuf tsort envsubst numfmt csvlook csvcut xmlstarlet xmllint htmlq pup actool plutil agrind hwinfo rtk-gain"
    ),
    edit="touch truncate patch tee sponge sd comby rpl dos2unix unix2dos codemod jscodeshift ex ed",
    issue="linear jira bd beads",
)

#: program -> (marks among the arguments, kind then, kind otherwise). The first row whose mark is there holds.
MARKED: dict[str, tuple[tuple[frozenset[str], CommandKind], ...]] = {}


def _mark(programs: str, *rows: tuple[str, str]) -> None:
    for name in programs.split():
        MARKED[name] = tuple((_set(marks), CommandKind(kind)) for marks, kind in rows)


#: "*" matches always.
_mark(
    "eslint eslint_d stylelint oxlint xo standard semistandard ts-standard markdownlint markdownlint-cli2 swiftlint sqruff tslint textlint secretlint",
    ("--fix", "format"),
    ("*", "lint"),
)
_mark(
    "biome rome",
    ("--write --fix --apply --apply-unsafe --unsafe", "format"),
    ("check lint ci format", "lint"),
    ("migrate init", "edit"),
    ("*", "read"),
)
_mark(
    "ruff",
    ("--fix --unsafe-fixes", "format"),
    ("check --check --diff", "lint"),
    ("format", "format"),
    ("rule config linter version clean server", "read"),
    ("*", "lint"),
)
_mark("black", ("--check --diff", "lint"), ("*", "format"))
_mark("isort docformatter pyupgrade autoflake", ("--check --check-only -c --diff", "lint"), ("*", "format"))
_mark("autopep8 yapf", ("-d --diff --quiet-diff", "lint"), ("-i --in-place", "format"), ("*", "read"))
_mark("prettier prettierd", ("--check -c --list-different -l", "lint"), ("--write -w", "format"), ("*", "read"))
_mark("gofmt goimports gofumpt golines gci", ("-w -write write --write-output", "format"), ("*", "lint"))
_mark("rustfmt leptosfmt", ("--check", "lint"), ("*", "format"))
_mark(
    "clang-format cmake-format gersemi swift-format google-java-format verible-verilog-format",
    ("--dry-run -n --check --Werror --set-exit-if-changed lint", "lint"),
    ("-i --in-place --replace --inplace", "format"),
    ("*", "read"),
)
_mark("shfmt", ("-d --diff -l --list", "lint"), ("-w --write", "format"), ("*", "read"))
_mark("golangci-lint", ("fmt --fix", "format"), ("run", "lint"), ("*", "read"))
_mark(
    "rubocop standardrb",
    ("-a -A --auto-correct --autocorrect --autocorrect-all --auto-correct-all --fix -x", "format"),
    ("*", "lint"),
)
_mark("ktlint", ("-F --format", "format"), ("*", "lint"))
_mark("swiftformat", ("--lint --dryrun", "lint"), ("*", "format"))
_mark("php-cs-fixer", ("--dry-run check", "lint"), ("fix", "format"), ("*", "read"))
_mark("pint", ("--test", "lint"), ("*", "format"))
_mark("rector", ("--dry-run -n", "lint"), ("process", "format"), ("*", "read"))
_mark("ecs", ("--fix", "format"), ("*", "lint"))
_mark(
    "stylua taplo dprint ormolu fourmolu elm-format scalafmt csharpier nixfmt alejandra ocamlformat fantomas buildifier djlint nixpkgs-fmt purs-tidy rufo",
    ("--check check --test --validate lint -c --list --mode=check", "lint"),
    ("*", "format"),
)
_mark("sqlfluff", ("fix format", "format"), ("*", "lint"))
_mark("trunk", ("fmt", "format"), ("check", "lint"), ("build", "build"), ("serve", "server"), ("*", "other"))
_mark(
    "terraform tofu terragrunt",
    ("-check", "lint"),
    ("fmt", "format"),
    ("validate", "lint"),
    ("test", "test"),
    ("init get", "install"),
    ("plan show output state version providers graph console", "read"),
    ("*", "other"),
)
_mark(
    "buf",
    ("-w --write", "format"),
    ("lint breaking format", "lint"),
    ("generate", "edit"),
    ("build", "build"),
    ("*", "other"),
)
_mark(
    "tsc",
    ("--noEmit --no-emit", "typecheck"),
    ("--init", "edit"),
    ("--showConfig --listFilesOnly --traceResolution-only", "read"),
    ("*", "build"),
)
_mark("vite", ("build", "build"), ("optimize", "other"), ("*", "server"))
_mark(
    "next",
    ("build export", "build"),
    ("lint", "lint"),
    ("info telemetry", "read"),
    ("typegen", "edit"),
    ("*", "server"),
)
_mark(
    "nuxt nuxi",
    ("build generate", "build"),
    ("typecheck", "typecheck"),
    ("dev preview start", "server"),
    ("test", "test"),
    ("*", "other"),
)
_mark(
    "astro",
    ("build", "build"),
    ("check", "typecheck"),
    ("dev preview", "server"),
    ("add", "install"),
    ("sync", "edit"),
    ("*", "other"),
)
_mark(
    "gatsby vitepress vuepress docusaurus eleventy hexo hugo jekyll mkdocs mdbook zola antora honkit quarto slidev storybook start-storybook ladle histoire",
    ("serve server develop dev start preview -s watch --serve", "server"),
    ("test", "test"),
    ("new init create", "edit"),
    ("deploy gh-deploy publish", "other"),
    ("version info list", "read"),
    ("*", "build"),
)
_mark(
    "mkdocs mdbook hugo",
    ("serve server watch", "server"),
    ("test", "test"),
    ("new init", "edit"),
    ("gh-deploy deploy version env list config", "other"),
    ("*", "build"),
)
_mark("build-storybook", ("*", "build"))
_mark("webpack webpack-cli rspack rsbuild", ("serve server s dev preview --watch -w watch", "server"), ("*", "build"))
_mark(
    "rollup tsup esbuild parcel swc babel microbundle sass postcss tailwindcss tailwind lessc unbuild bunchee tsdown",
    ("--watch -w watch serve --serve", "server"),
    ("*", "build"),
)
_mark("svelte-kit", ("sync", "edit"), ("build package", "build"), ("*", "server"))
_mark(
    "svelte-check vue-tsc tsd",
    ("--watch", "server"),
    ("--build -b --emitDeclarationOnly --declaration", "build"),
    ("*", "typecheck"),
)
_mark(
    "remix react-router vinxi vike solid-start qwik redwood rw blitz wasp",
    ("build", "build"),
    ("typecheck typegen type-check", "typecheck"),
    ("test", "test"),
    ("lint", "lint"),
    ("generate g", "edit"),
    ("*", "server"),
)
_mark(
    "expo eas react-native rn ionic capacitor cap cordova",
    ("build export prebuild bundle", "build"),
    ("install add doctor", "install"),
    ("lint", "lint"),
    ("start run run:ios run:android serve", "server"),
    ("*", "other"),
)
_mark("tauri wails neu", ("build", "build"), ("dev", "server"), ("init add", "edit"), ("*", "other"))
_mark("electron-vite electron-forge", ("build package make", "build"), ("*", "server"))
_mark(
    "wrangler netlify vercel firebase supabase amplify serverless sls sst cdk sam pulumi railway flyctl fly heroku render turso",
    ("dev serve start emulators:start", "server"),
    ("build synth package", "build"),
    ("types gen", "edit"),
    ("logs tail list status whoami diff login projects", "read"),
    ("validate", "lint"),
    ("*", "other"),
)
_mark(
    "prisma",
    ("validate", "lint"),
    ("format", "format"),
    ("generate db pull introspect", "edit"),
    ("studio", "server"),
    ("migrate", "edit"),
    ("*", "other"),
)
_mark(
    "drizzle-kit typeorm knex sequelize sequelize-cli mikro-orm kysely kysely-codegen",
    ("studio", "server"),
    ("check", "lint"),
    ("*:run up migrate push", "other"),
    ("*", "edit"),
)
_mark("alembic", ("revision merge", "edit"), ("current history heads show branches", "read"), ("*", "other"))
_mark("flask quart litestar fastapi sanic", ("run dev", "server"), ("routes", "read"), ("test", "test"), ("*", "other"))
_mark(
    "docker podman nerdctl",
    ("build buildx bake", "build"),
    ("ps images logs inspect version info stats top port events history diff search ls context", "read"),
    ("pull", "install"),
    ("up", "server"),
    ("*", "other"),
)
_mark(
    "kubectl oc k9s stern",
    ("get describe logs top explain api-resources version cluster-info config diff auth", "read"),
    ("port-forward proxy", "server"),
    ("*", "other"),
)
_mark("aws gcloud doctl", ("*", "other"))
_mark("ninja", ("-n", "read"), ("test check", "test"), ("*", "build"))
_mark("cmake", ("--version --help -E", "read"), ("*", "build"))
_mark(
    "pip pip3",
    ("list show freeze check index inspect debug config cache", "read"),
    ("wheel", "build"),
    ("*", "install"),
)
_mark(
    "conda mamba micromamba",
    ("list info search config env-list", "read"),
    ("activate deactivate", "read"),
    ("build", "build"),
    ("*", "install"),
)
_mark(
    "brew",
    ("list info search deps doctor config outdated --prefix leaves", "read"),
    ("services", "other"),
    ("*", "install"),
)
_mark("apt dpkg", ("list show search policy -l -L -s", "read"), ("*", "install"))
_mark(
    "gem",
    ("list search specification contents environment env", "read"),
    ("build", "build"),
    ("push", "other"),
    ("*", "install"),
)
_mark(
    "bundle bundler",
    ("list show info outdated check config platform doctor audit", "read"),
    ("gem init", "edit"),
    ("*", "install"),
)
_mark(
    "rustup nvm fnm volta asdf pyenv rbenv nodenv opam luarocks",
    ("show list ls current version versions which toolchain-list --version", "read"),
    ("*", "install"),
)
_mark("pod carthage", ("*", "install"))
_mark("nodemon", ("*", "server"))
_mark("celery", ("inspect status report", "read"), ("*", "server"))
_mark("jupyter", ("nbconvert", "other"), ("kernelspec --version --paths", "read"), ("*", "server"))
_mark("pm2", ("list ls status logs describe monit", "read"), ("*", "server"))
_mark("ollama", ("list ps show", "read"), ("pull", "install"), ("serve", "server"), ("*", "other"))
_mark("redis-cli psql mysql sqlite3 mongosh mongo duckdb bq snowsql clickhouse-client", ("*", "other"))
_mark("tail", ("-f -F --follow --follow=name -fn -nf", "server"), ("*", "read"))
_mark("journalctl", ("-f --follow", "server"), ("*", "read"))
_mark(
    "protoc grpc_tools.protoc stringer mockgen mockery sqlc wire ent oapi-codegen gqlgen graphql-codegen gql-gen openapi-generator openapi-generator-cli "
    "openapi-typescript orval swagger-codegen json2ts quicktype cookiecutter copier yo plop hygen nest ng-packagr degit tiged templ counterfeiter controller-gen deepcopy-gen go-bindata "
    "flatc capnp thrift bison flex antlr4 swag kubebuilder operator-sdk create-react-app create-next-app create-vite shadcn shadcn-ui prisma-client-py datamodel-codegen "
    "ariadne-codegen typegen supabase-gen zapatos pgtyped tsr relay-compiler contentlayer barrelsby changeset",
    ("--check --dry-run --version lint vet status diff", "read"),
    ("*", "edit"),
)
_mark("nest", ("build", "build"), ("start", "server"), ("info", "read"), ("*", "edit"))
_mark("changeset", ("status", "read"), ("publish tag", "other"), ("*", "edit"))
_mark("django.core", ("*", "other"))
_mark("py_compile compileall json.tool tabnanny pyflakes ast doctest", ("*", "lint"))
_mark("doctest", ("*", "test"))
_mark("timeit cProfile pdb site sysconfig platform this", ("*", "other"))
_mark("venv virtualenv ensurepip", ("*", "install"))
_mark("twine", ("check", "lint"), ("*", "other"))
_mark("crystal-build", ("*", "build"))
_mark("scala scala-cli", ("test", "test"), ("compile package", "build"), ("fmt", "format"), ("*", "other"))
_mark("kotlin groovy", ("*", "other"))
_mark("v vlang", ("test", "test"), ("fmt", "format"), ("vet", "lint"), ("*", "build"))
_mark("odin", ("test", "test"), ("check", "typecheck"), ("build", "build"), ("*", "other"))
_mark("nim", ("check", "typecheck"), ("c cpp js compile", "build"), ("*", "other"))
_mark("elixirc erlc", ("*", "build"))
_mark(
    "soroban stellar near cargo-near leo nargo",
    ("test", "test"),
    ("build compile", "build"),
    ("check", "typecheck"),
    ("fmt", "format"),
    ("*", "other"),
)
_mark("k6 artillery locust ab wrk hey vegeta jmeter", ("*", "other"))
_mark("sg ast-grep", ("-U --update-all", "edit"), ("test", "test"), ("*", "read"))
_mark("claude codex gemini aider opencode", ("*", "other"))

#: Options with which a program only says something of itself.
ASKS = _set("--version --help -help -version --usage")
ASKS_ALONE = _set("-h -V -v -? version help -v --versions -vV")

#: Words that are said, looked up or removed, not run.
KNOWN_OTHERS = _set(
    "mkdir rmdir chmod chown chgrp chattr kill killall pkill mktemp mkfifo ln tar zip unzip gzip gunzip bzip2 xz zstd 7z rsync scp sftp wget ssh-keygen "
    "ssh-add ssh-agent gpg openssl crontab systemctl service launchctl mount umount dd shred split csplit tmux screen script expect logger wall mail "
    "sendmail security pbcopy xattr ditto hdiutil diskutil nc ncat socat telnet ffmpeg convert magick sips qlmanage nslookup iptables ufw sysctl "
    "cp mv rm install unlink rename trash docker-machine vagrant virtualbox qemu aws gcloud az git-lfs git-filter-repo bfg svn hg jj fossil "
    "direnv dotenv eval exec trap let select coproc until"
)
