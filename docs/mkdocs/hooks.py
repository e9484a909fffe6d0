"""The hooks of mkdocs: the pages are the files of the repository, at the same relative places, so that their links lead to each other.

A page stays plain Markdown that every code host shows; source_text.py adds what only the site has.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

import python_api
import repository
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from repository import COMPOSER, HOME, LANGUAGES, OVERVIEW, ROOT
from source_text import FENCED, anchor, for_readers, map_links, tab, with_tabs, with_titles, with_wide_lists

# The composer runs in a frame of its page; its files are in a folder below the page.
APP = "wasm/composer"
FRAME = """
[Open the composer in a page of its own](../wasm/composer/index.html)

<iframe class="composer" src="app/index.html" title="Composer"></iframe>
"""
# The sections whose first block is shown beside the example of README.md.
FIRST_EXAMPLES = {
    "Rust": ("docs/rust.md", "A call and its outcome"),
    "C": ("docs/c.md", "A call"),
    "JavaScript": ("docs/javascript.md", "Five minutes to a login"),
}
NOT_IN_SEARCH = "---\nsearch:\n  exclude: true\n---\n\n"
PROJECT = ("CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "RELEASING.md")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.mdx_configs["toc"]["slugify"] = anchor
    config.nav = navigation()
    return config


def navigation() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = [{"Home": [{"Home": HOME}, {"All pages": OVERVIEW}]}]
    for section in repository.sections():
        entries.append({section.title: [{repository.navigation_title(page): page} for page in section.pages]})
    entries.append({"Python API": [{page.title: page.name} for page in python_api.pages()]})
    entries.append({"Project": [{repository.navigation_title(page): page} for page in PROJECT]})
    return entries


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name in sorted({*repository.linked_files(), *PROJECT}):
        if (ROOT / name).is_dir():
            files.append(generated(config, f"{name}/index.md", directory_page(name), f"{name}/index.html"))
        elif repository.has_listing(name):
            files.append(generated(config, f"{name}.md", listing_page(name), f"{name}/index.html"))
        else:
            files.append(copied(config, name, repository.destination(name)))
    for path in sorted((ROOT / APP).rglob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        files.append(copied(config, name, name.replace(APP, "composer/app", 1)))
    for page in python_api.pages():
        files.append(File.generated(config, page.name, content=page.text))
    return files


def copied(config: MkDocsConfig, name: str, destination: str) -> File:
    return File(name, str(ROOT), config.site_dir, True, dest_uri=destination)


def generated(config: MkDocsConfig, name: str, text: str, destination: str) -> File:
    file = File.generated(config, name, content=text)
    file.dest_uri = destination
    return file


def directory_page(name: str) -> str:
    files = sorted(file.name for file in (ROOT / name).iterdir() if file.is_file())
    return NOT_IN_SEARCH + f"# {name}\n\n" + "".join(f"- [{file}]({file})\n" for file in files)


def listing_page(name: str) -> str:
    language = LANGUAGES[Path(name).suffix]
    return NOT_IN_SEARCH + f"# {name}\n\n`````{language}\n{repository.read(name)}`````\n"


def on_page_markdown(markdown: str, page: Page, **options: Any) -> str:
    name = page.file.src_uri
    text = with_titles(markdown, lambda link: repository.navigation_title(repository.target(name, link)))
    text = with_wide_lists(for_readers(map_links(text, lambda link: site_link(name, link))))
    if name == COMPOSER:
        title, _, rest = text.partition("\n")
        text = f"{title}\n{FRAME}{rest}"
        page.meta["hide"] = ["navigation", "toc"]
    return with_tabs(with_first_examples(text) if name == HOME else text)


def site_link(page: str, link: str) -> str:
    """A link to a source file or a folder leads to the page with its text."""
    if not repository.is_local(link):
        return link
    target = repository.target(page, link)
    if (ROOT / target).is_dir():
        return posixpath.relpath(f"{target}/index.md", posixpath.dirname(page) or ".")
    return f"{link}.md" if repository.has_listing(target) and (ROOT / target).is_file() else link


def with_first_examples(text: str) -> str:
    """Makes tabs of the first example of README.md and those of other languages."""
    example = first_block(text)
    others = {
        language: for_readers(first_block(section(*place))) for language, place in FIRST_EXAMPLES.items()
    }
    return text.replace(example, "".join(tab(*entry) for entry in {"Python": example, **others}.items()))


def section(page: str, title: str) -> str:
    return repository.read(page).partition(f"\n## {title}\n")[2]


def first_block(text: str) -> str:
    block = FENCED.search(text)
    assert block is not None
    return block.group()


def on_page_content(html: str, **_: Any) -> str:
    """An empty cell of a table's header is not a heading for screen readers."""
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)


def on_post_page(output: str, **_: Any) -> str:
    """Names the dialog of the search for screen readers, which the theme does not do."""
    return re.sub(r'class="md-search"[^>]* role="dialog"', r'\g<0> aria-label="Search"', output)
