"""The tools of frameworks and managed languages: mix, flutter, deno, rails, artisan, Django's manage.py."""

from ace_reflect.evidence.call_parts import edits, formats, kinds_table, subcommand
from ace_reflect.evidence.call_words import after_options, option_value, program, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.programs import meanings_of_program
from ace_reflect.evidence.runner_flags import lines_of_files, test_run
from ace_reflect.evidence.task_names import meanings_of_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_READ, _OTHER, _SERVER = CommandKind.READ, CommandKind.OTHER, CommandKind.SERVER


def _mix(argv: tuple[str, ...]) -> list[Meaning]:
    args = " ".join(argv[1:]).split(" ")
    if args[:1] == ["do"]:  # mix do compile, test
        found: list[Meaning] = []
        for part in " ".join(args[1:]).replace(" + ", ",").split(","):
            found.extend(_mix(("mix", *part.split())))
        return found
    sub, rest = subcommand(argv)
    if sub in ("test", "test.watch", "coveralls", "coveralls.html", "espec") or sub.startswith("coveralls"):
        meaning = test_run("mix test", "mix test", rest)
        meaning.watch = sub == "test.watch"
        lines_of_files(meaning)
        return [meaning]
    if sub == "format":
        return [formats("mix format", checks="--check-formatted" in rest)]
    kinds = kinds_table(
        build="compile release escript.build assets.build assets.deploy",
        lint="credo sobelow hex.audit doctor xref",
        typecheck="dialyzer",
        install="deps.get deps.update deps.compile local.hex local.rebar archive.install setup",
        server="phx.server",
        read="deps help phx.routes hex.info hex.outdated",
    )
    if ".gen." in sub or sub in ("new", "phx.new"):
        return [edits(f"mix {sub}")]
    return [Meaning(kinds[sub], f"mix {sub}")] if sub in kinds else meanings_of_name(sub, f"mix {sub}".rstrip())


def _flutter(argv: tuple[str, ...]) -> list[Meaning]:
    name = program(argv[0])
    sub, rest = subcommand(argv)
    if sub in ("test", "drive"):
        return [test_run(f"{name} test", "flutter test", rest)]
    if sub == "run" and rest[:1] == ("test",):
        return [test_run(f"{name} test", "flutter test", rest[1:])]
    if sub == "format":
        quiet = {"--set-exit-if-changed", "--output=none", "-o", "--output=show"} & set(rest)
        return [formats(f"{name} format", checks=bool(quiet))]
    if sub == "fix":
        return [formats(f"{name} fix", checks="--apply" not in rest)]
    if sub == "create":
        return [edits(f"{name} create")]
    if sub == "run" and rest[:1] == ("build_runner",):
        return [edits(f"{name} run build_runner")]
    kinds = kinds_table(
        build="build compile assemble",
        lint="analyze",
        install="pub upgrade precache",
        read="doctor devices --version config",
        server="run attach",
    )
    return [Meaning(kinds.get(sub, _OTHER) if name != "dart" or sub != "run" else _OTHER, f"{name} {sub}".rstrip())]


def _deno(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv)
    if sub == "test":
        return [test_run("deno test", "deno test", rest)]
    if sub == "task":
        first = after_options(rest, 0, word_set("--cwd -c --config -f --filter"))
        found = meanings_of_name(
            rest[first] if first < len(rest) else "", " ".join(("deno task", *rest[first : first + 1]))
        )
        for meaning in found:
            meaning.cwd = option_value(argv, word_set("--cwd"))
        return found
    if sub == "fmt":
        return [formats("deno fmt", checks="--check" in rest)]
    if sub == "lint":
        return [formats("deno lint", checks="--fix" not in rest)]
    kinds = kinds_table(
        typecheck="check",
        build="compile bundle",
        install="install add remove cache i outdated",
        read="info doc types --version",
        server="serve",
    )
    return [Meaning(kinds.get(sub, _OTHER), f"deno {sub}".rstrip())]


def _rails(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv)
    if sub in ("test", "t") or sub.startswith(("test:", "spec")):
        meaning = test_run("rails test", "minitest", rest)
        lines_of_files(meaning)
        return [meaning]
    if sub in ("generate", "g", "destroy", "d", "new"):
        return [edits(f"rails {sub}")]
    kinds = kinds_table(
        server="server s",
        read="routes about stats notes version middleware",
        other="console c runner r dbconsole",
        build="assets:precompile",
    )
    return [Meaning(kinds[sub], f"rails {sub}")] if sub in kinds else meanings_of_name(sub, f"rails {sub}".rstrip())


def artisan(args: tuple[str, ...]) -> list[Meaning]:
    """`php artisan …` (and Symfony's `bin/console`, whose commands are written alike)."""
    sub, rest = subcommand(("artisan", *args))
    if sub in ("test", "pest:test", "dusk"):
        return [test_run("artisan test", "phpunit", rest)]
    if sub.startswith("make:") or sub in ("stub:publish", "vendor:publish"):
        return [edits(f"artisan {sub}")]
    if sub in ("serve", "queue:work", "horizon", "schedule:work", "octane:start", "reverb:start"):
        return [Meaning(_SERVER, f"artisan {sub}")]
    looks = sub in ("list", "about", "help") or sub.endswith((":list", ":status", ":show"))
    return [Meaning(_READ if looks else _OTHER, f"artisan {sub}".rstrip())]


def _artisan_program(argv: tuple[str, ...]) -> list[Meaning]:
    return artisan(argv[1:])


def _sail(argv: tuple[str, ...]) -> list[Meaning]:
    """Laravel Sail: `sail test`, `sail artisan test`, `sail npm run build`."""
    sub, rest = subcommand(argv)
    if sub in ("test", "phpunit", "pest", "dusk"):
        return artisan(("test", *rest))
    if sub == "artisan":
        return artisan(rest)
    if sub in ("up", "down", "stop", "restart"):
        return [Meaning(_SERVER if sub == "up" and "-d" not in rest else _OTHER, f"sail {sub}")]
    return (
        meanings_of_program((sub, *rest)) or [Meaning(_OTHER, f"sail {sub}".rstrip())]
        if sub
        else [Meaning(_OTHER, "sail")]
    )


def django(args: tuple[str, ...]) -> list[Meaning]:
    """`manage.py …`"""
    sub, rest = subcommand(("manage.py", *args), word_set("--settings --pythonpath"))
    if sub in ("test", "jenkins", "behave"):
        return [test_run("django test", "django", rest)]
    if sub in ("makemigrations", "startapp", "startproject", "squashmigrations", "makemessages"):
        looks = {"--check", "--dry-run"} & set(rest)
        return [Meaning(_READ, f"manage.py {sub}") if looks else edits(f"manage.py {sub}")]
    kinds = kinds_table(
        server="runserver runserver_plus qcluster",
        lint="check",
        read="showmigrations diffsettings sqlmigrate inspectdb help show_urls",
    )
    return [Meaning(kinds.get(sub, _OTHER), f"manage.py {sub}".rstrip())]


def _django_admin(argv: tuple[str, ...]) -> list[Meaning]:
    return django(argv[1:])


READERS: "dict[str, Reader]" = {
    "mix": _mix,
    **dict.fromkeys(("flutter", "dart", "fvm"), _flutter),
    "deno": _deno,
    "rails": _rails,
    "artisan": _artisan_program,
    "sail": _sail,
    "django-admin": _django_admin,
    "manage.py": _django_admin,
}
