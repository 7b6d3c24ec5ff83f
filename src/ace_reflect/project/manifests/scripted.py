"""Ruby, PHP, Elixir, Erlang, Deno, Clojure, Perl, Julia, Lua and shell (bats)."""

from ace_reflect.evidence import languages
from ace_reflect.project.manifests.tasks import composer_scripts
from ace_reflect.project.place import Claim, Place, table_of


def ruby(place: Place) -> "Claim | None":
    name = next(n for n in place.names if n in RUBY or n.endswith(".gemspec"))
    bundle = "bundle exec " if place.has_above("Gemfile") else ""
    specs = place.first(r"(^|/)spec/.*_spec\.rb$")
    tests = place.first(r"(^|/)test/.*(_test|test_\w+)\.rb$")
    if specs:
        test = f"{bundle}rspec"
    elif place.has("bin/rails"):
        test = "bin/rails test"
    else:
        test = f"{bundle}rake test" if "Rakefile" in place.names else f"{bundle}ruby -Itest {tests}" if tests else ""
    return Claim(
        manifest=name,
        language="ruby",
        test=test if specs or tests else "",
        tests_evidence=specs or tests,
    )


def composer(place: Place) -> "Claim | None":
    data = place.json("composer.json")
    if not data:
        return None
    scripts = composer_scripts(table_of(data.get("scripts")))
    needs = {**table_of(data.get("require")), **table_of(data.get("require-dev"))}
    some = place.first(r"(?i)(^|/)tests?/.*\.php$")
    configured = place.has("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
    if "test" in scripts:
        test, evidence = "composer test", f"composer.json script test: {scripts['test']}"[:200]
    elif "pestphp/pest" in needs:
        test, evidence = "vendor/bin/pest", some
    elif "phpunit/phpunit" in needs or configured:
        test, evidence = ("php artisan test" if "artisan" in place.names else "vendor/bin/phpunit"), some
    else:
        test, evidence = "", ""
    return Claim(
        manifest="composer.json",
        language="php",
        test=test,
        tests_evidence=evidence,
    )


def phpunit(place: Place) -> "Claim | None":
    """A phpunit.xml with no composer.json beside it."""
    if "composer.json" in place.names:
        return None
    name = next(n for n in place.names if n.startswith("phpunit"))
    return Claim(manifest=name, language="php", test="phpunit", tests_evidence=place.first(r"(?i)test\w*\.php$"))


def mix(place: Place) -> "Claim | None":
    return Claim(
        manifest="mix.exs",
        language="elixir",
        test="mix test",
        tests_evidence=place.first(r"_test\.exs$") or ((place.tree.truncated and "mix.exs") or ""),
        build="mix compile",
        build_evidence="mix.exs",
        tests_build=True,
    )


def rebar(place: Place) -> "Claim | None":
    suites = place.first(r"_SUITE\.erl$")
    units = place.first(r"_tests\.erl$") or place.first_containing(r"\.erl$", r"eunit\.hrl")
    return Claim(
        manifest="rebar.config",
        language="erlang",
        test="rebar3 ct" if suites and not units else "rebar3 eunit",
        tests_evidence=units or suites,
        build="rebar3 compile",
        build_evidence="rebar.config",
        tests_build=True,
    )


def deno(place: Place) -> "Claim | None":
    name = next(n for n in ("deno.json", "deno.jsonc") if n in place.names)
    tasks = table_of(place.json(name).get("tasks"))
    some = place.first(r"(^|/|[._])test\.[cm]?[jt]sx?$")
    return Claim(
        manifest=name,
        language="typescript",
        test="deno task test" if "test" in tasks else "deno test",
        tests_evidence=f"{name} task test" if "test" in tasks else some,
        build="deno task build" if "build" in tasks else "",
        build_evidence=f"{name} task build" if "build" in tasks else "",
        rank=28,
    )


def clojure(place: Place) -> "Claim | None":
    some = place.first(r"(^|/)test/.*\.clj[cs]?$")
    if "project.clj" in place.names:
        return Claim(manifest="project.clj", language="clojure", test="lein test", tests_evidence=some)
    text = place.read("deps.edn")
    command = "clojure -M:test" if ":main-opts" in text else "clojure -X:test"
    return Claim(
        manifest="deps.edn",
        language="clojure",
        test=command if ":test" in text else "",
        tests_evidence=some if ":test" in text else "",
    )


def perl(place: Place) -> "Claim | None":
    name = next(n for n in PERL if n in place.names)
    return Claim(manifest=name, language="perl", test="prove -l", tests_evidence=place.first(r"(^|/)t/.*\.t$"))


def julia(place: Place) -> "Claim | None":
    return Claim(
        manifest="Project.toml",
        language="julia",
        test="julia --project -e 'using Pkg; Pkg.test()'",
        tests_evidence=place.path("test/runtests.jl") if place.has("test/runtests.jl") else "",
    )


def lua(place: Place) -> "Claim | None":
    return Claim(manifest=".busted", language="lua", test="busted", tests_evidence=place.first(r"_spec\.lua$"))


def bats(place: Place) -> "Claim | None":
    """
    A project of shell scripts and nothing else, with its tests in bats. Such a project need not have a manifest.

    Beside code of another language bats often tests a server or an image, and no script that is edited.
    """
    found = [file for file in place.files() if file.endswith(".bats")]
    some = min(found, key=lambda file: file.count("/"), default="")  # deeper ones may be those of bats itself
    if not some or place.nested or place.tree.truncated:
        return None
    if any(languages.of_file(file) not in languages.SOFT or file.endswith("Dockerfile") for file in place.files()):
        return None
    first, _, rest = some.partition("/")
    test = f"bats -r {first}" if "/" in rest else f"bats {first}" if rest else "bats ."
    return Claim(manifest=some, language="shell", test=test, tests_evidence=some, rank=60)


RUBY = ("Gemfile", "Rakefile")
PERL = ("Makefile.PL", "Build.PL", "cpanfile", "dist.ini")
