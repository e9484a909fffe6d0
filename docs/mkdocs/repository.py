"""The files of the repository that the site shows: the pages of `docs`, and every file that a page links to."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

from source_text import headings, links, plain

ROOT = Path(__file__).parent.parent.parent
HOME = "README.md"
OVERVIEW = "docs/README.md"
COMPOSER = "docs/composer.md"

# A file with one of these extensions gets a page with its highlighted text; every other file that is not a page is copied.
LANGUAGES = {
    ".c": "c",
    ".cpp": "cpp",
    ".h": "c",
    ".hpp": "cpp",
    ".rs": "rust",
    ".py": "python",
    ".rb": "ruby",
    ".php": "php",
    ".lua": "lua",
    ".go": "go",
    ".cs": "csharp",
    ".ts": "typescript",
    ".json": "json",
}


@dataclass
class Section:
    """A section of docs/README.md: its title, and its pages in order."""

    title: str
    pages: list[str]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def target(page: str, link: str) -> str:
    """The path of a link's file, from the root of the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link.partition("#")[0]))


def is_page(name: str) -> bool:
    return name.endswith(".md")


def has_listing(name: str) -> bool:
    """Whether the site has a page with the text of this source file. The OpenAPI document is for programs."""
    return Path(name).suffix in LANGUAGES and name != "docs/openapi.json"


def sections() -> list[Section]:
    """The sections of docs/README.md, which are the navigation."""
    found: list[Section] = []
    for part in re.split(r"(?m)^## ", read(OVERVIEW))[1:]:
        title, _, body = part.partition("\n")
        pages = [target(OVERVIEW, link) for link in links(body)]
        found.append(Section(title.strip(), list(dict.fromkeys(filter(is_page, pages)))))
    return found


def linked_files() -> list[str]:
    """The home page, the overview, and every file that can be reached from them by links."""
    found: dict[str, None] = {}
    waiting = [HOME, OVERVIEW]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found[name] = None
        if (ROOT / name).is_dir():
            waiting += [f"{name}/{file.name}" for file in (ROOT / name).iterdir() if file.is_file()]
        elif is_page(name):
            waiting += [target(name, link) for link in links(read(name)) if is_local(link)]
    return sorted(found)


def is_local(link: str) -> bool:
    return not re.match(r"[a-z]+:|#", link)


def navigation_title(page: str) -> str:
    """The first heading without its markup, up to a colon: "Callbacks" for "# Callbacks: delivery reports, …"."""
    _, title = next(headings(read(page)))
    return plain(title).partition(":")[0]


def destination(name: str) -> str:
    """The file of the site. The pages of `docs` are at its root."""
    path = name.removeprefix("docs/")
    if name == HOME:
        return "index.html"
    if name == OVERVIEW:
        return "pages/index.html"
    if is_page(name):
        stem = path.removesuffix(".md").removesuffix("/README")
        return f"{stem.lower() if '/' not in stem else stem}/index.html"
    return path
