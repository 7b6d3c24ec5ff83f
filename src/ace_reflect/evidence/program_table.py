"""Programs that need no reading of arguments beyond a few marks: linters, formatters, builders, installers, servers, looks."""

from ace_reflect.evidence.call_words import word_set

#: kind -> programs whose every call is of that kind
_NAMES = {
    "lint": (
        "flake8 pylint pycodestyle pydocstyle bandit vulture radon xenon pyroma interrogate jshint jscs staticcheck revive golint gosec "
        "errcheck ineffassign deadcode nilaway govulncheck gocyclo fieldalignment modernize unparam shellcheck checkbashisms hadolint "
        "dockle yamllint yaml-lint actionlint zizmor cfn-lint tfsec trivy checkov ansible-lint kubeval kubeconform kube-linter "
        "spectral redocly vacuum proselint alex write-good cspell codespell typos misspell aspell commitlint knip ts-prune depcheck "
        "madge dependency-cruiser depcruise unimported publint attw size-limit bundlesize license-checker detekt checkstyle pmd spotbugs "
        "clang-tidy cppcheck cpplint cpp-linter iwyu oclint infer phpcs phpmd phplint parallel-lint deptrac luacheck selene hlint reek "
        "fasterer brakeman bundler-audit bundle-audit erb_lint erblint haml-lint slim-lint scss-lint sass-lint htmlhint html-validate "
        "tidy linkinator lychee markdown-link-check jsonlint check-jsonschema ajv dotenv-linter editorconfig-checker ec gitleaks "
        "detect-secrets trufflehog semgrep sonar-scanner snyk osv-scanner pip-audit safety slither solhint mythril protolint cmake-lint "
        "cmakelint credo ameba dogma elvis vint svlint verilator perlcritic lintr nbqa pa11y lighthouse axe lhci mdl remark statix "
        "deadnix py_compile compileall json.tool tabnanny pyflakes ast"
    ),
    "typecheck": (
        "mypy dmypy pyright basedpyright pyre pytype ty pyrefly zuban tsgo flow srb steep phpstan psalm phan dialyzer glint dtslint "
        "expect-type"
    ),
    "install": (
        "pipx apt-get aptitude apk yum dnf zypper pacman yay emerge nix-env choco scoop winget port bower cpan cpanm nuget paket "
        "rustup-init goenv corepack easy_install npm-check-updates ncu vcpkg conan shards elm-json spack snap flatpak pkg sdk sdkman "
        "xcode-select tfenv jabba pip-compile pip-sync pod carthage venv virtualenv ensurepip"
    ),
    "build": (
        "pkgroll ncc stylus uglifyjs terser browserify snowpack gcc g++ cc c++ clang clang++ tcc rustc javac kotlinc scalac ghc ocamlc "
        "ocamlopt ocamlbuild ocamlfind gfortran nvcc nasm as ld ar ranlib dmd ldc2 fpc gnatmake gprbuild valac vala cython mypyc nuitka "
        "pyinstaller cx_Freeze py2app maturin build msbuild xbuild devenv ndk-build qmake autoreconf autoconf automake configure scons "
        "waf bjam b2 tup premake5 gn electron-builder electron-packager sphinx-build latexmk pdflatex xelatex lualatex tectonic typst "
        "goreleaser ko buildah kaniko img emcc em++ emmake tinygo wasm-opt wasm-bindgen wat2wasm solc vyper circom zokrates luac glslc "
        "glslangValidator lipo codesign gomobile fyne iscc makensis wix candle light rpmbuild dpkg-buildpackage debuild makepkg snapcraft "
        "flatpak-builder appimagetool build-storybook crystal-build elixirc erlc"
    ),
    "format": (
        "add-trailing-comma ktfmt phpcbf htmlbeautifier djhtml brittany stylish-haskell hindent refmt pg_format sql-formatter sqlfmt "
        "buildozer js-beautify terrafmt tidy-imports gdformat gdscript-formatter"
    ),
    "server": (
        "uvicorn gunicorn hypercorn daphne waitress-serve uwsgi dramatiq rq http.server http-server live-server serve browser-sync "
        "json-server webpack-dev-server nginx apache2 httpd caddy traefik redis-server postgres pg_ctl mongod mysqld memcached "
        "rabbitmq-server etcd minio ngrok cloudflared localtunnel jupyter-lab jupyter-notebook streamlit gradio chainlit llama-server air "
        "realize reflex fresh overmind foreman honcho hivemind goreman mprocs puma unicorn rackup thin passenger sidekiq shotgun "
        "supervisord supervisorctl tsc-watch chokidar onchange watchman inotifywait fswatch watchmedo marp mailhog mailpit localstack "
        "temporal dapr anvil ganache ganache-cli geth solana-test-validator meilisearch typesense prometheus grafana-server vector "
        "otelcol adb emulator scrcpy Xvfb x11vnc electron livereload sirv wscat nodemon"
    ),
    "read": (
        "ls ll la dir cat bat batcat head less more wc grep egrep fgrep zgrep rg ag ack ugrep fd fdfind find tree eza exa lsd stat file "
        "du df dust ncdu diff colordiff delta difft icdiff cmp comm sort uniq cut tr awk gawk mawk nawk sed gsed jq gojq jaq yq xq dasel "
        "fx gron column paste nl tac rev fold fmt expand strings od xxd hexdump hd md5 md5sum sha1sum sha256sum sha512sum shasum cksum "
        "b2sum base64 basename dirname realpath readlink pwd which type whereis hash man info tldr help apropos whatis echo printf print "
        "date gdate cal uptime whoami id groups who w last hostname uname arch env printenv locale ps pgrep pstree top htop btop lsof "
        "netstat ss ip ifconfig ping dig nslookup host traceroute free vmstat iostat lscpu lsblk lspci nproc sleep true false test [ [[ : "
        "cd chdir pushd popd dirs set unset export declare local readonly typeset alias unalias shopt setopt unsetopt emulate autoload "
        "source . read wait jobs fg bg ulimit umask times history seq yes expr bc dc let getent cloc tokei scc loc nm objdump ldd otool "
        "size readelf zcat bzcat xzcat pdftotext pdfinfo exiftool identify mediainfo ffprobe tput clear reset exit return break continue "
        "shift getopts mapfile readarray compgen complete fc bind disown stty tty glow mdcat timedatectl dmesg sw_vers sysctl defaults "
        "system_profiler dpkg-query rpm apt-cache pkg-config ldconfig xclip pbpaste pbcopy open xdg-open start say onefetch hexyl "
        "strip-ansi ansi2txt iconv zipinfo lstopo pip-licenses pipdeptree cpuinfo mdls mdfind osascript look wmic tasklist where findstr "
        "ver Get-Content Get-ChildItem Select-String Write-Host Write-Output Get-Process Test-Path Select-Object Measure-Object "
        "Where-Object ForEach-Object Set-Location Push-Location Pop-Location nm-online usleep logname factor shuf tsort envsubst numfmt "
        "csvlook csvcut xmlstarlet xmllint htmlq pup actool plutil agrind hwinfo command xargs time builtin ssh wsl"
    ),
    "edit": (
        "touch truncate patch apply_patch tee sponge sd comby rpl fastmod dos2unix unix2dos codemod jscodeshift ex ed"
    ),
    "issue": ("linear jira bd beads"),
    # said, looked up or removed, measured, asked: nothing that a gate asks about
    "other": (
        "simctl mkdir rmdir chmod chown chgrp chattr kill killall pkill mktemp mkfifo ln tar zip unzip gzip gunzip bzip2 xz zstd 7z rsync "
        "scp sftp wget ssh-keygen ssh-add ssh-agent gpg openssl crontab systemctl service launchctl mount umount dd shred split csplit "
        "tmux screen script expect logger wall mail sendmail security xattr ditto hdiutil diskutil nc ncat socat telnet ffmpeg convert "
        "magick sips qlmanage iptables ufw cp mv rm install unlink rename trash docker-machine vagrant virtualbox qemu git-lfs "
        "git-filter-repo bfg svn fossil direnv dotenv eval exec trap select coproc until aws gcloud doctl redis-cli psql mysql sqlite3 "
        "mongosh mongo duckdb bq snowsql clickhouse-client django.core timeit cProfile pdb site sysconfig platform this kotlin groovy k6 "
        "artillery locust ab wrk hey vegeta jmeter claude codex gemini aider opencode"
    ),
}

#: program -> kind of every call of it
KINDS: dict[str, str] = {name: kind for kind, names in _NAMES.items() for name in names.split()}

#: Programs, then (marks among their arguments, kind). The first row whose mark is there holds; "*" matches always.
_MARKS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("coverage", (("report html xml json lcov combine erase debug", "read"), ("*", "other"))),
    (
        "eslint eslint_d stylelint oxlint xo standard semistandard ts-standard markdownlint markdownlint-cli2 swiftlint sqruff tslint textlint secretlint",
        (("--fix", "format"), ("--print-config", "read"), ("*", "lint")),
    ),
    (
        "biome rome",
        (
            ("--write --fix --apply --apply-unsafe --unsafe", "format"),
            ("check lint ci format", "lint"),
            ("migrate init", "edit"),
            ("*", "read"),
        ),
    ),
    (
        "ruff",
        (
            ("--fix --unsafe-fixes", "format"),
            ("check --check --diff", "lint"),
            ("format", "format"),
            ("rule config linter version clean server", "read"),
            ("*", "lint"),
        ),
    ),
    ("black", (("--check --diff", "lint"), ("*", "format"))),
    ("isort docformatter pyupgrade autoflake", (("--check --check-only -c --diff", "lint"), ("*", "format"))),
    ("autopep8 yapf", (("-d --diff --quiet-diff", "lint"), ("-i --in-place", "format"), ("*", "read"))),
    ("prettier prettierd", (("--check -c --list-different -l", "lint"), ("--write -w", "format"), ("*", "read"))),
    ("gofmt goimports gofumpt golines gci", (("-w -write write --write-output", "format"), ("*", "lint"))),
    ("vale", (("sync", "install"), ("ls-config ls-metrics ls-dirs ls-vars", "read"), ("*", "lint"))),
    ("tflint", (("--init", "install"), ("--fix", "format"), ("*", "lint"))),
    ("rustfmt leptosfmt", (("--check", "lint"), ("*", "format"))),
    (
        "clang-format cmake-format gersemi swift-format google-java-format verible-verilog-format",
        (
            ("--dry-run -n --check --Werror --set-exit-if-changed lint", "lint"),
            ("-i --in-place --replace --inplace", "format"),
            ("*", "read"),
        ),
    ),
    ("shfmt", (("-d --diff -l --list", "lint"), ("-w --write", "format"), ("*", "read"))),
    ("golangci-lint", (("fmt --fix", "format"), ("run", "lint"), ("*", "read"))),
    (
        "rubocop standardrb",
        (("-a -A --auto-correct --autocorrect --autocorrect-all --auto-correct-all --fix -x", "format"), ("*", "lint")),
    ),
    ("ktlint", (("-F --format", "format"), ("*", "lint"))),
    ("swiftformat", (("--lint --dryrun", "lint"), ("*", "format"))),
    ("php-cs-fixer", (("--dry-run check", "lint"), ("fix", "format"), ("*", "read"))),
    ("pint", (("--test", "lint"), ("*", "format"))),
    ("rector", (("--dry-run -n", "lint"), ("process", "format"), ("*", "read"))),
    ("ecs", (("--fix", "format"), ("*", "lint"))),
    (
        "stylua taplo dprint ormolu fourmolu elm-format scalafmt csharpier nixfmt alejandra ocamlformat fantomas buildifier djlint nixpkgs-fmt purs-tidy rufo",
        (("--check check --test --validate lint -c --list --mode=check", "lint"), ("*", "format")),
    ),
    ("sqlfluff", (("fix format", "format"), ("*", "lint"))),
    ("trunk", (("fmt", "format"), ("check", "lint"), ("build", "build"), ("serve", "server"), ("*", "other"))),
    (
        "terraform tofu terragrunt",
        (
            ("-check", "lint"),
            ("fmt", "format"),
            ("validate", "lint"),
            ("test", "test"),
            ("init get", "install"),
            ("plan show output state version providers graph console", "read"),
            ("*", "other"),
        ),
    ),
    (
        "buf",
        (
            ("-w --write", "format"),
            ("lint breaking format", "lint"),
            ("generate", "edit"),
            ("build", "build"),
            ("*", "other"),
        ),
    ),
    (
        "tsc",
        (
            ("--noEmit --no-emit", "typecheck"),
            ("--init", "edit"),
            ("--showConfig --listFilesOnly --traceResolution-only", "read"),
            ("*", "build"),
        ),
    ),
    ("vite", (("build", "build"), ("optimize", "other"), ("*", "server"))),
    (
        "next",
        (("build export", "build"), ("lint", "lint"), ("info telemetry", "read"), ("typegen", "edit"), ("*", "server")),
    ),
    (
        "nuxt nuxi",
        (
            ("build generate", "build"),
            ("typecheck", "typecheck"),
            ("dev preview start", "server"),
            ("test", "test"),
            ("*", "other"),
        ),
    ),
    (
        "astro",
        (
            ("build", "build"),
            ("check", "typecheck"),
            ("dev preview", "server"),
            ("add", "install"),
            ("sync", "edit"),
            ("*", "other"),
        ),
    ),
    (
        "gatsby vitepress vuepress docusaurus eleventy hexo jekyll zola antora honkit quarto slidev storybook start-storybook ladle histoire",
        (
            ("serve server develop dev start preview -s watch --serve", "server"),
            ("test", "test"),
            ("new init create", "edit"),
            ("deploy gh-deploy publish", "other"),
            ("version info list", "read"),
            ("*", "build"),
        ),
    ),
    (
        "mkdocs mdbook hugo",
        (
            ("serve server watch", "server"),
            ("test", "test"),
            ("new init", "edit"),
            ("gh-deploy deploy version env list config", "other"),
            ("*", "build"),
        ),
    ),
    ("webpack webpack-cli rspack rsbuild", (("serve server s dev preview --watch -w watch", "server"), ("*", "build"))),
    (
        "rollup tsup esbuild parcel swc babel microbundle sass postcss tailwindcss tailwind lessc unbuild bunchee tsdown",
        (("--watch -w watch serve --serve", "server"), ("*", "build")),
    ),
    ("svelte-kit", (("sync", "edit"), ("build package", "build"), ("*", "server"))),
    (
        "svelte-check vue-tsc tsd",
        (("--watch", "server"), ("--build -b --emitDeclarationOnly --declaration", "build"), ("*", "typecheck")),
    ),
    (
        "remix react-router vinxi vike solid-start qwik redwood rw blitz wasp",
        (
            ("build vite:build", "build"),
            ("typecheck typegen type-check", "typecheck"),
            ("test", "test"),
            ("lint", "lint"),
            ("generate g", "edit"),
            ("*", "server"),
        ),
    ),
    (
        "expo eas react-native rn ionic capacitor cap cordova",
        (
            ("build export prebuild bundle", "build"),
            ("install add doctor", "install"),
            ("lint", "lint"),
            ("start run run:ios run:android serve", "server"),
            ("*", "other"),
        ),
    ),
    ("tauri wails neu", (("build", "build"), ("dev", "server"), ("init add", "edit"), ("*", "other"))),
    ("electron-vite electron-forge", (("build package make", "build"), ("*", "server"))),
    (
        "wrangler netlify vercel firebase supabase amplify serverless sls sst cdk sam pulumi railway flyctl fly heroku render turso",
        (
            ("dev serve start emulators:start", "server"),
            ("build synth package", "build"),
            ("types gen", "edit"),
            ("logs tail list status whoami diff login projects", "read"),
            ("validate", "lint"),
            ("*", "other"),
        ),
    ),
    (
        "prisma",
        (
            ("validate", "lint"),
            ("format", "format"),
            ("generate db pull introspect", "edit"),
            ("studio", "server"),
            ("migrate", "edit"),
            ("*", "other"),
        ),
    ),
    (
        "drizzle-kit typeorm knex sequelize sequelize-cli mikro-orm kysely kysely-codegen",
        (("studio", "server"), ("check", "lint"), ("*:run up migrate push", "other"), ("*", "edit")),
    ),
    ("alembic", (("revision merge", "edit"), ("current history heads show branches", "read"), ("*", "other"))),
    (
        "flask quart litestar fastapi sanic",
        (("run dev", "server"), ("routes", "read"), ("test", "test"), ("*", "other")),
    ),
    (
        "docker docker-compose podman podman-compose nerdctl",
        (
            ("--exit-code-from", "test"),
            ("-d --detach --wait --no-start down stop rm kill restart", "other"),
            ("build buildx bake", "build"),
            ("ps images logs inspect version info stats top port events history diff search ls context", "read"),
            ("pull", "install"),
            ("up", "server"),
            ("*", "other"),
        ),
    ),
    (
        "kubectl oc k9s stern",
        (
            ("get describe logs top explain api-resources version cluster-info config diff auth", "read"),
            ("port-forward proxy", "server"),
            ("*", "other"),
        ),
    ),
    (
        "pip pip3",
        (("list show freeze check index inspect debug config cache", "read"), ("wheel", "build"), ("*", "install")),
    ),
    (
        "conda mamba micromamba",
        (
            ("list info search config env-list", "read"),
            ("activate deactivate", "read"),
            ("build", "build"),
            ("*", "install"),
        ),
    ),
    (
        "brew",
        (
            ("list info search deps doctor config outdated --prefix leaves", "read"),
            ("services", "other"),
            ("*", "install"),
        ),
    ),
    ("apt dpkg", (("list show search policy -l -L -s", "read"), ("*", "install"))),
    (
        "gem",
        (
            ("list search specification contents environment env", "read"),
            ("build", "build"),
            ("push", "other"),
            ("*", "install"),
        ),
    ),
    (
        "bundle bundler",
        (
            ("list show info outdated check config platform doctor audit", "read"),
            ("gem init", "edit"),
            ("*", "install"),
        ),
    ),
    (
        "rustup nvm fnm volta asdf pyenv rbenv nodenv opam luarocks",
        (("show list ls current version versions which toolchain-list env --version", "read"), ("*", "install")),
    ),
    ("celery", (("inspect status report", "read"), ("*", "server"))),
    ("jupyter", (("nbconvert", "other"), ("kernelspec --version --paths", "read"), ("*", "server"))),
    ("pm2", (("list ls status logs describe monit", "read"), ("*", "server"))),
    ("ollama", (("list ps show", "read"), ("pull", "install"), ("serve", "server"), ("*", "other"))),
    ("tail", (("-f -F --follow --follow=name -fn -nf", "server"), ("*", "read"))),
    ("journalctl", (("-f --follow", "server"), ("*", "read"))),
    (
        "protoc grpc_tools.protoc stringer mockgen mockery sqlc wire ent oapi-codegen gqlgen graphql-codegen gql-gen openapi-generator openapi-generator-cli openapi-typescript orval swagger-codegen json2ts quicktype cookiecutter copier yo plop hygen ng-packagr degit tiged templ counterfeiter controller-gen deepcopy-gen go-bindata flatc capnp thrift bison flex antlr4 swag kubebuilder operator-sdk create-react-app create-next-app create-vite shadcn shadcn-ui prisma-client-py datamodel-codegen ariadne-codegen typegen supabase-gen zapatos pgtyped tsr relay-compiler contentlayer barrelsby",
        (("--check --dry-run --version lint vet status diff", "read"), ("*", "edit")),
    ),
    ("nest", (("build", "build"), ("start", "server"), ("info", "read"), ("*", "edit"))),
    ("changeset", (("status", "read"), ("publish tag", "other"), ("*", "edit"))),
    ("twine", (("check", "lint"), ("*", "other"))),
    ("scala scala-cli", (("test", "test"), ("compile package", "build"), ("fmt", "format"), ("*", "other"))),
    ("v vlang", (("test", "test"), ("fmt", "format"), ("vet", "lint"), ("*", "build"))),
    ("odin", (("test", "test"), ("check", "typecheck"), ("build", "build"), ("*", "other"))),
    ("nim", (("check", "typecheck"), ("c cpp js compile", "build"), ("*", "other"))),
    (
        "soroban stellar near cargo-near leo nargo",
        (("test", "test"), ("build compile", "build"), ("check", "typecheck"), ("fmt", "format"), ("*", "other")),
    ),
    ("sg ast-grep", (("-U --update-all", "edit"), ("test", "test"), ("*", "read"))),
    (
        "hg jj",
        (
            ("commit ci describe desc squash amend", "commit"),
            ("push", "push"),
            ("status st log diff show annotate cat id identify summary heads branches tip", "read"),
            ("*", "other"),
        ),
    ),
    ("tuist", (("test", "test"), ("build", "build"), ("install fetch", "install"), ("*", "other"))),
    ("xmake", (("test", "test"), ("run r", "other"), ("f config show", "read"), ("*", "build"))),
    ("west", (("twister", "test"), ("build", "build"), ("update init", "install"), ("*", "other"))),
    ("idf.py", (("monitor", "server"), ("build all", "build"), ("*", "other"))),
    ("skaffold", (("build", "build"), ("dev debug", "server"), ("*", "other"))),
    ("swiftc", (("-typecheck", "typecheck"), ("*", "build"))),
    ("elm", (("make", "build"), ("reactor", "server"), ("install", "install"), ("*", "other"))),
    (
        "dbt",
        (
            ("test build", "test"),
            ("compile parse", "build"),
            ("deps", "install"),
            ("ls list show", "read"),
            ("*", "other"),
        ),
    ),
    ("emacs", (("ert-run-tests-batch-and-exit ert-run-tests-batch buttercup-run-discover", "test"), ("*", "other"))),
)
MARKED = {name: rows for names, rows in _MARKS for name in names.split()}

#: Options with which a program only says something of itself.
ASKS = word_set("--version --help -help -version --usage")
ASKS_ALONE = word_set("-h -V -v -? version help -v --versions -vV")
