"""What kind of file a path names, and whether it is the project's. By name alone: nothing is opened."""

from functools import lru_cache
from posixpath import join, normpath

from ace_reflect.evidence.call_words import has_drive, word_set
from ace_reflect.late import Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import EditKind


#: What a program is made of: a change may break it, and tests can be asked about it.
_CODE = word_set(
    "py pyi pyx pxd ipynb js jsx mjs cjs ts tsx mts cts vue svelte astro rb erb rake go rs java kt kts scala sc groovy clj cljs cljc edn "
    "c h cc cpp cxx hpp hh hxx ipp inl m mm swift cs fs fsx vb php phtml twig blade ex exs eex heex leex erl hrl elm hs lhs ml mli re rei "
    "nim zig d v sv vhd vhdl lua r jl pl pm t raku dart sol vy move cairo asm s wat sql psql prisma graphql gql proto thrift "
    "html htm xhtml css scss sass less styl pcss hbs handlebars mustache ejs pug liquid njk jinja jinja2 j2 tmpl tpl "
    "sh bash zsh fish ksh ps1 psm1 psd1 bat cmd awk tcl coffee ls purs cr gleam odin pas pp adb ads f f90 f95 cob cbl lisp cl el "
    "scm rkt hx gd glsl vert frag wgsl hlsl cu cuh metal bicep tf hcl nix dhall cue jsonnet libsonnet rego star bzl vim nu "
    "tla als agda idr lean wit xaml razor cshtml applescript ahk mjml templ rhai luau haml slim qml ino pde g4 y yy l ll pest fbs capnp smk nf mojo"
)
_DOCS = word_set("md markdown mdx mdc rst txt adoc asciidoc org tex bib pod rdoc textile wiki mkd pdf doc docx odt rtf")
_CONFIG = word_set(
    "json jsonc json5 yaml yml toml ini cfg conf config properties env lock lockb xml plist editorconfig gitignore gitattributes dockerignore "
    "npmrc nvmrc csproj fsproj vbproj vcxproj sln slnx props targets gradle cmake mk mak gemspec podspec cabal nimble rockspec "
    "service socket timer kdl ron neon resolved pbxproj xcconfig xcscheme entitlements tfvars opam iss nuspec"
)
_DOC_NAMES = word_set(
    "license licence copying notice authors contributors changelog changes history readme news todo contributing codeowners "
    "security maintainers code_of_conduct patents credits thanks"
)
_TEST_SUFFIXES = word_set("snap feature robot bats t")
_TEST_FOLDERS = word_set(
    "tests test __tests__ spec specs e2e __mocks__ __snapshots__ __fixtures__ cypress testdata androidtest integrationtest"
)
_FIXTURE_FOLDERS = word_set("tests test __tests__ e2e fixtures __fixtures__ __snapshots__ testdata test-data test_data")
_SCRIPT_FOLDERS = word_set("bin scripts script hooks .husky .githooks tools ci hack libexec")
#: Folders called after tests: `integration_tests`, `ui-tests`, `Foo.Tests`; with a capital `AppTests`.
_TEST_FOLDER_ENDS = ("_tests", "-tests", ".tests")
_STEP_FOLDERS = word_set("step_definitions steps")
_TEST_STEMS = word_set("test tests spec conftest setuptests testhelper test_helper spec_helper rails_helper")
_TEST_BEGINS = (
    "test_",
    "test.",
    "test-",
    "jest.setup",
    "jest-setup",
    "vitest.setup",
    "vitest-setup",
    "karma.setup",
    "karma-setup",
)
_TEST_ENDS = (
    *("_test", ".test", "-test", "_tests", ".tests", "-tests", "_spec", ".spec", "-spec", "_specs", ".specs", "-specs"),
    *("_unittest", ".unittest", "-unittest", "_e2e", ".e2e", "-e2e", "_cy", ".cy", "-cy", ".steps", ".test-d"),
)
_TEST_CLASS = Late(r"Test[A-Z]\w*$|.*[a-z0-9](?:Tests?|TestCase|TestSuite|Specs?|IT)$", needs=("IT|Spec|Test",)).match
_CLASS_SUFFIXES = word_set("java kt kts scala groovy cs fs vb swift php m mm dart cpp cc h hpp")
_REQUIREMENTS = Late(
    r"(?:dev[-_.])?(?:requirements|constraints)[\w.-]*\.(?:txt|in)$", needs=("constraints|requirements", ".in|.txt")
).match
_SCRIPT_ENDS = word_set("js jsx cjs cjsx mjs mjsx ts tsx cts ctsx mts mtsx")
_BUILD_FILES = ("dockerfile.", "dockerfile-", "containerfile.", "containerfile-", "makefile.", "makefile-")
#: A folder that holds one of these is a package of its own.
PACKAGE_MANIFESTS = word_set(
    "package.json pyproject.toml setup.py setup.cfg Cargo.toml go.mod pom.xml build.gradle build.gradle.kts composer.json Gemfile mix.exs "
    "pubspec.yaml Package.swift deno.json"
)
#: The manifests that are noted wherever a session meets their names.
COMMON_MANIFESTS = PACKAGE_MANIFESTS | word_set(
    "tox.ini pytest.ini Pipfile go.work Makefile Justfile justfile Taskfile.yml Taskfile.yaml mise.toml .mise.toml Rakefile deno.jsonc "
    "CMakeLists.txt build.zig build.sbt pnpm-workspace.yaml turbo.json nx.json phpunit.xml phpunit.xml.dist"
)
_MANIFESTS = frozenset(map(folded, COMMON_MANIFESTS)) | word_set(
    "noxfile.py requirements.txt settings.gradle settings.gradle.kts build.sc gnumakefile .justfile meson.build deps.edn project.clj stack.yaml "
    "cabal.project dune-project rebar.config shard.yml gleam.toml lerna.json build.bazel module.bazel workspace.bazel foundry.toml"
)
_CONFIG_NAMES = _MANIFESTS.difference(("setup.py", "noxfile.py")) | word_set(
    "dockerfile containerfile procfile vagrantfile jenkinsfile brewfile podfile cartfile fastfile appfile dangerfile caddyfile go.sum "
    "go.work.sum build workspace manifest.in dune earthfile tiltfile gradlew gradlew.bat mvnw mvnw.cmd robots.txt cname pkgbuild version "
    ".version snakefile kconfig configure.ac rust-toolchain .php-cs-fixer.php .php-cs-fixer.dist.php .terraform.lock.hcl .flake8 .rspec "
    ".yamllint .gitmodules .mailmap .clang-format .clang-tidy .clangd .tool-versions"
)
_CONFIGURED = word_set(
    "jest vitest playwright cypress karma mocha hardhat wdio vite webpack rollup next nuxt svelte astro tsup"
)
_CONFIGURED_IN = word_set("js cjs mjs ts cts mts")
_MANIFEST_ENDS = word_set("csproj fsproj vbproj sln slnx gemspec podspec cabal nimble rockspec xcodeproj xcworkspace")
_DEVICES = ("/dev/", "/proc/")
_TEMPORARY = ("/tmp/", "/var/tmp/", "/var/folders/")  # noqa: S108 - names to look for
#: Where macOS keeps two folders, and the links by which they are known.
_PRIVATE, _LINKED = "/private", ("/tmp/", "/var/")  # noqa: S108 - names to look for
_WINDOWS_TEMPORARY = Late(r"(?:/mnt|/cygdrive)?(?:/[a-z]|[a-z]:)/te?mp/", needs=("/temp/|/tmp/",)).match
#: Folders whose files nobody writes by hand, or that are not the project's.
_SYSTEM = (
    "/etc/",
    "/usr/",
    "/opt/",
    "/var/",
    "/bin/",
    "/sbin/",
    "/lib/",
    "/System/",
    "/Library/",
    "/Applications/",
    "/nix/",
)
_INTERNAL = word_set(
    ".git node_modules .venv venv site-packages __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .gradle .next .nuxt .turbo .svelte-kit"
)
_BUILT = _INTERNAL | word_set(
    "dist coverage target .output htmlcov .nyc_output .parcel-cache storybook-static _build .dart_tool deriveddata"
)
#: Among sources these are packages like any other: `src/coverage/report.py`.
_SOURCES_TOO = word_set("coverage target")
_own_variable = Late(
    r"\$(?:\{(?:PWD|CLAUDE_PROJECT_DIR)\}|PWD|CLAUDE_PROJECT_DIR)(?=/|$)",
    needs=("$CLAUDE_PROJECT_DIR|$PWD|${CLAUDE_PROJECT_DIR}|${PWD}",),
).sub
_PLANS = Late(
    # not in a worktree that the host made: `.claude/worktrees/fix/docs/plans/x.md` is the project's
    r"(?:^|/)(?:\.claude(?!-worktrees/)[^/]*|\.config/claude)/(?!worktrees/)(?:[^/]+/){0,20}plans/[^/]+$",
    needs=("plans/", "laude"),
).search


def _parts(path: str) -> list[str]:
    return [part for part in path.replace("\\", "/").split("/") if part and part != "."]


@lru_cache(maxsize=64)  # asked when a call begins, when its result is there, and of its command's words
def edit_kind(path: str) -> "EditKind":
    """What a change to this file is a change of: code, test, docs, config or other."""
    parts = _parts(path)
    if not parts:
        return "other"
    name = parts[-1].lower()
    stem, dot, suffix = name.rpartition(".")
    if _is_built(parts):
        return "other"
    if _is_config_name(name):
        return "config"
    if _is_docs(parts, name, stem, suffix):
        return "docs"
    if suffix in _TEST_SUFFIXES and dot:
        return "test"
    if dot and suffix in _CODE:
        return "test" if _is_test(parts, stem, suffix) else "code"
    if any(part.lower() in _FIXTURE_FOLDERS for part in parts[:-1]):
        return "test"
    if dot and suffix in _CONFIG:
        return "config"
    if not dot and any(part in _SCRIPT_FOLDERS for part in parts[:-1]):
        return "code"
    return "other"


def _is_built(parts: list[str]) -> bool:
    """Whether the file lies where tools put what they make. `Target` with a capital is not cargo's."""
    for place, part in enumerate(parts[:-1]):
        low = part.lower()
        if low in _SOURCES_TOO and (part != low or "src" in parts[:place]):
            continue
        if low in _BUILT:
            return True
    return False


def _is_config_name(name: str) -> bool:
    return (
        name in _CONFIG_NAMES
        or name.startswith((".env", ".gitlab-ci", ".travis", "vitest.workspace."))
        or (name[0] == "." and name.endswith(("ignore", "-version")))
        or _REQUIREMENTS(name) is not None
        or _is_config_script(name)
    )


def _is_config_script(name: str) -> bool:
    """`vite.config.ts`, `.eslintrc.js`, `dockerfile.dev`, `dev.dockerfile`; the name in lower case."""
    tool, _, ending = name.rpartition(".config.")
    if (tool and ending in _SCRIPT_ENDS) or (name.endswith(".dockerfile") and name != ".dockerfile"):
        return True
    if name[:1] == ".":
        own, dot, ending = name[1:].partition(".")
        is_name = len(own) > 2 and own.endswith("rc") and own.replace("_", "a").isalnum()
        return is_name and (not dot or ending in ("js", "cjs", "mjs"))
    return name.startswith(_BUILD_FILES) and name not in _BUILD_FILES


def _is_docs(parts: list[str], name: str, stem: str, suffix: str) -> bool:
    if (stem or name) in _DOC_NAMES and suffix not in _CODE and suffix not in _CONFIG:
        return True
    if stem and suffix in _DOCS:
        return suffix != "txt" or not any(part.lower() in _FIXTURE_FOLDERS for part in parts[:-1])
    return False


def _is_test(parts: list[str], stem: str, suffix: str) -> bool:
    if stem in _TEST_STEMS or stem.startswith(_TEST_BEGINS) or stem.endswith(_TEST_ENDS):
        return True
    if any(_is_test_folder(part) for part in parts[:-1]) or (
        parts[-2:-1] and parts[-2] in _STEP_FOLDERS and "features" in parts
    ):
        return True
    return suffix in _CLASS_SUFFIXES and _TEST_CLASS(parts[-1].rpartition(".")[0]) is not None


def _is_test_folder(name: str) -> bool:
    low = name.lower()
    return low in _TEST_FOLDERS or low.endswith(_TEST_FOLDER_ENDS) or (low != name and name.endswith("Tests"))


def is_plan_file(path: str) -> bool:
    """Whether it is a plan that Claude Code keeps for itself (`~/.claude/plans/…`); a project's docs/plans are documents."""
    return _PLANS(path.replace("\\", "/")) is not None


def is_script(path: str) -> bool:
    """Whether the file lies where a project keeps what it runs by hand: `scripts/release.py`, `bin/tool`."""
    return not _SCRIPT_FOLDERS.isdisjoint(_parts(path)[:-1])


def is_manifest(path: str) -> bool:
    """Whether the file says how a project is built or tested."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    if name in _MANIFESTS or name.startswith(".mocharc"):
        return True
    if is_configuration(name):
        return True
    stem, _, suffix = name.rpartition(".")
    return bool(stem) and suffix in _MANIFEST_ENDS


def is_configuration(name: str) -> bool:
    """Whether a script sets up the tests or the build: `vitest.config.ts`; the name in lower case."""
    tool, _, language = name.partition(".config.")
    return tool in _CONFIGURED and language in _CONFIGURED_IN


def absolute(path: str, cwd: str | None) -> str:
    """`path` as seen from `cwd`; as typed where that is not known, and where it is a home folder's, a variable's or a drive's."""
    if not cwd or path.startswith(("~", "$")) or has_drive(path):
        return path
    return spelled_as(cwd, normpath(join(cwd, path)))


def spelled_as(cwd: str, path: str) -> str:
    """
    An absolute path without macOS' `/private`, or with it where `cwd` has it: `/tmp` is a link there, and who works in
    /private/tmp/app and types `cd /tmp/app` is where they were.
    """
    plain = path.removeprefix(_PRIVATE)
    if not f"{plain}/".startswith(_LINKED):
        return path
    return _PRIVATE + plain if cwd.startswith(_PRIVATE + plain[:4]) else plain


def is_outside(path: str) -> bool:
    """
    Whether a path that a command wrote to is certainly not one of the project's files, as far as its name can tell.

    Outside are: devices, temporary folders, the host's plans, git's and package managers' own folders, home folders
    (`~/x`), what lies above the working folder (`../x`), and what starts with a variable whose value is not known.
    Everything else counts as inside: relative paths, absolute ones that are none of these, and "*" (files unknown).
    """
    path = _own_variable(".", path) if path.startswith("$") else path
    if path.startswith(("$", "~")) or is_plan_file(path) or any(part in _INTERNAL for part in _parts(path)):
        return True
    return path.removeprefix(_PRIVATE).startswith(_SYSTEM) or is_temporary(path) or path.startswith("../")


def is_temporary(path: str) -> bool:
    """Whether the path lies in a folder for temporary files, or is a device."""
    low = folded(path).replace("\\", "/")
    below = f"{low.removeprefix(_PRIVATE)}/"  # the folder itself is one as well
    return (
        low.startswith(_DEVICES)
        or below.startswith(_TEMPORARY)
        or "/scratchpad/" in low
        or "/appdata/local/temp/" in low
        or _WINDOWS_TEMPORARY(low) is not None
    )
