"""Makes the README's links absolute and writes [project.urls], so that PyPI shows them: the release workflow does this.

python docs/for_pypi.py https://github.com/OWNER/REPO v0.2.0     # changes README.md and pyproject.toml
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "Homepage": "",
    "Documentation": "/tree/{tag}/docs",
    "Source": "/tree/{tag}",
    "Changelog": "/blob/{tag}/CHANGELOG.md",
    "Issues": "/issues",
}
#: The start of a link or picture up to its target: Markdown's, or an attribute of HTML.
TARGET = re.compile(r'(?P<before>(?P<shown>!?)\[[^\[\]]*\]\(|\]\(|(?P<html>src|srcset)=")(?!https?:|#)(?P<to>[^)"\s]+)')  # fmt: skip


def absolute(readme: str, address: str, tag: str) -> str:
    """The README with every relative target led to the repository at this tag."""

    def whole(found: re.Match[str]) -> str:
        to = found["to"]
        if to.startswith("../../"):  # GitHub's own pages, from the README's place
            return f"{found['before']}{address}/{to.removeprefix('../../')}"
        kind = "raw" if found["shown"] or found["html"] else "blob"
        return f"{found['before']}{address}/{kind}/{tag}/{to}"

    return TARGET.sub(whole, readme).replace("<owner>/<repo>", address.split("/", 3)[-1])


def with_urls(project: str, address: str, tag: str) -> str:
    """pyproject.toml with [project.urls]."""
    urls = (f'{name} = "{address}{page.format(tag=tag)}"\n' for name, page in PAGES.items())
    return project.replace(
        "[project.scripts]", f"[project.urls]\n{''.join(urls)}\n[project.scripts]"
    )


def main(address: str, tag: str) -> None:
    for name, change in (("README.md", absolute), ("pyproject.toml", with_urls)):
        path = ROOT / name
        path.write_text(change(path.read_text(), address, tag))


if __name__ == "__main__":
    main(*sys.argv[1:])
