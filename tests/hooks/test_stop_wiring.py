"""New files that nothing refers to are a line to the person."""

from pathlib import Path

import pytest

from ace_reflect.project.references import unreferenced
from support.hooks import Host
from support.stops import PASSED, Session, python_project


@pytest.mark.parametrize(("content", "lost"), [("from src import helpers\n", False), ("x = 1\n", True)])
def test_a_new_module_that_nobody_imports(host: Host, content: str, lost: bool) -> None:
    python_project(host)
    (host.project / "src" / "helpers.py").write_text("def help(): ...\n")
    (host.project / "src" / "app.py").write_text(content)
    session = Session(host).ask("Add helpers").create(f"{host.project}/src/helpers.py").bash("pytest -q", PASSED)

    answered = session.stop_hook()  # type: ignore[attr-defined]

    assert answered.json.get("decision") is None
    assert ("nothing refers to helpers.py" in answered.json["systemMessage"]) is lost


@pytest.mark.parametrize("name", ["src/main.py", "tests/test_x.py", "src/__init__.py", "scripts/do_it.py", "gone.py"])
def test_files_that_are_found_by_their_place_or_gone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if name != "gone.py":
        path.write_text("x = 1\n")

    assert unreferenced(str(tmp_path), (str(path),)) == ()


def test_a_tree_too_big_for_the_time_leaves_it_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ace_reflect.project.references.MAX_SECONDS", -1.0)
    for name in ("helpers.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")

    assert unreferenced(str(tmp_path), (str(tmp_path / "helpers.py"),)) is None


@pytest.mark.parametrize(
    ("new", "other", "text", "lost"),
    [
        # a partial is rendered without its underscore, from a template
        ("app/views/dishes/_allergens.html.erb", "app/views/dishes/edit.html.erb", "<%= render 'allergens' %>", False),
        ("app/views/cart/_totals.html.haml", "app/views/cart/show.html.haml", "= render 'totals'", False),
        ("templates/_totals.html", "templates/cart.html.j2", "{% include 'totals.html' %}", False),
        ("app/views/dishes/_allergens.html.erb", "app/views/dishes/edit.html.erb", "<%= render 'form' %>", True),
        # a class is loaded by its name
        ("app/services/price_list.rb", "app/models/dish.rb", "PriceList.new(self)", False),
        ("lib/shop/price_list.ex", "lib/shop/cart.ex", "alias Shop.PriceList", False),
        ("app/services/price_list.rb", "app/models/dish.rb", "Price.new(List)", True),
        ("src/price_list.py", "src/dish.py", "PriceList()", True),
        # migrations are found by their folder, and what Rails loads at its start or by its routes
        ("src/main/resources/db/migration/V2__weight.sql", "src/main/resources/a.xml", "<a/>", False),
        ("config/initializers/money.rb", "config/application.rb", "", False),
        ("app/controllers/dishes_controller.rb", "config/routes.rb", "resources :dishes", False),
        ("db/weights.sql", "src/main/resources/a.xml", "<a/>", True),
    ],
)
def test_what_a_framework_finds_by_name_or_folder(tmp_path: Path, new: str, other: str, text: str, lost: bool) -> None:
    for name, content in ((new, "x"), (other, text)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    path = str(tmp_path / new)

    assert unreferenced(str(tmp_path), (path,)) == ((path,) if lost else ())


@pytest.mark.parametrize(
    ("name", "text", "lost"),
    [
        ("primes.py", "def main(): ...\n\nif __name__ == '__main__':\n    main()\n", False),
        ("tidy.js", "#!/usr/bin/env node\nconsole.log(1)\n", False),
        ("primes.py", "# run by __main__.py\ndef primes(): ...\n", True),
    ],
)
def test_what_says_of_itself_that_it_is_started_needs_nobody_to_refer_to_it(
    tmp_path: Path, name: str, text: str, lost: bool
) -> None:
    for file, content in ((name, text), ("other.py", "x = 1\n")):
        (tmp_path / file).write_text(content)
    path = str(tmp_path / name)

    assert unreferenced(str(tmp_path), (path,)) == ((path,) if lost else ())
