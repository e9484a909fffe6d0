"""Reads and changes Markdown as code hosts show it: links, headings, blocks of code, and sections that become tabs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

FENCED = re.compile(
    r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=fence)[ ]*$\n?", re.MULTILINE | re.DOTALL
)
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
NAMED_LINK = re.compile(r"\[[\w./-]+\.md\](?=\((?P<target>[^)\s]+)\))")
HEADING = re.compile(r"^(?P<marks>#{1,6}) +(?P<title>.+?)[ ]*$", re.MULTILINE)

# A list: its first marker, and all lines of its items.
LIST = re.compile(
    r"^(?P<marker>(?:[-*+]|\d+\.) +).*\n(?:(?:(?:[-*+]|\d+\.) | {2,}|[ ]*$).*\n)*", re.MULTILINE
)

# Sibling sections with these titles show one example in several languages or frameworks: they become tabs.
TAB_TITLES = {
    "Python",
    "Rust",
    "C",
    "C++",
    "JavaScript",
    "TypeScript",
    "curl",
    "LuaJIT",
    "PHP",
    "Ruby",
    "Go",
    "C#",
    "React",
    "Vue",
    "Svelte",
}

# Names of languages in fences that Pygments does not have.
HIGHLIGHTED_AS = {"svelte": "html", "vue": "html", "caddyfile": "nginx", "py": "python"}


def map_prose(text: str, change: Callable[[str], str]) -> str:
    """Changes everything except fenced blocks."""
    parts, end = [], 0
    for block in FENCED.finditer(text):
        parts += [change(text[end : block.start()]), block.group()]
        end = block.end()
    return "".join([*parts, change(text[end:])])


def map_links(text: str, change: Callable[[str], str]) -> str:
    """Changes the targets of links, except in code."""

    def prose(part: str) -> str:
        code = [match.span() for match in CODE.finditer(part)]

        def link(match: re.Match[str]) -> str:
            inside_code = any(start <= match.start() < end for start, end in code)
            return match.group() if inside_code else change(match.group())

        return LINK.sub(link, part)

    return map_prose(text, prose)


def with_titles(text: str, title: Callable[[str], str]) -> str:
    """Gives links whose text is the name of a file, such as [rust.md](rust.md), the title of their page as text."""
    return map_prose(text, lambda part: NAMED_LINK.sub(lambda link: f"[{title(link['target'])}]", part))


def links(text: str) -> list[str]:
    """The targets of the links and pictures of a page."""
    found: list[str] = []

    def collect(link: str) -> str:
        found.append(link)
        return link

    map_links(text, collect)
    return found


def without_blocks(text: str) -> str:
    """The text with spaces in the place of fenced blocks, so that positions stay the same."""
    return FENCED.sub(lambda block: re.sub(r"[^\n]", " ", block.group()), text)


def headings(text: str) -> Iterator[tuple[int, str]]:
    """The level and the title of each heading."""
    for match in HEADING.finditer(without_blocks(text)):
        yield len(match["marks"]), match["title"]


def plain(title: str) -> str:
    """A title without links and code marks."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")


def anchor(title: str, separator: str = "-") -> str:
    """The id that code hosts give to a heading."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return kept.strip().replace(" ", separator)


def for_readers(text: str) -> str:
    """Gives each fenced block a language that the highlighter knows, and removes the lines of Rust that rustdoc hides."""

    def block(match: re.Match[str]) -> str:
        language = re.split(r"[ ,]", match["info"].strip())[0]
        code = match["code"]
        if language == "rust":
            code = re.sub(r"^[ ]*#(?: [^\n]*)?\n", "", code, flags=re.MULTILINE)
        return f"{match['fence']}{HIGHLIGHTED_AS.get(language, language)}\n{code}{match['fence']}\n\n"

    return FENCED.sub(block, text)


def with_wide_lists(text: str) -> str:
    """Indents what belongs to an item of a list by four spaces, and separates items by blank lines if one of them contains a blank line.
    Python-Markdown requires both; code hosts show both forms in the same way."""

    def separated(found: re.Match[str]) -> str:
        items = re.sub(rf"(?m)^ {{{len(found['marker'])}}}", "    ", found.group())
        return re.sub(r"(?m)^(?=[-*+] |\d+\. )", "\n", items) if "\n\n" in items.strip() else items

    return map_prose(text, lambda part: LIST.sub(separated, part))


def with_tabs(text: str) -> str:
    """Replaces each run of two or more sibling sections whose titles are in TAB_TITLES by tabs. The headings stay in the tabs, for the
    table of contents, the search and links; site.css hides them behind the labels."""
    found = list(HEADING.finditer(without_blocks(text)))
    parts, end = [], 0
    for index, first in enumerate(found):
        run, after = sibling_run(found[index:])
        if len(run) < 2 or first.start() < end:
            continue
        parts.append(text[end : first.start()])
        end = after.start() if after else len(text)
        bounds = [match.start() for match in run[1:]] + [end]
        parts += [
            tab(match["title"], tab_heading(match) + text[match.end() : bound])
            for match, bound in zip(run, bounds)
        ]
    return "".join([*parts, text[end:]])


def sibling_run(found: list[re.Match[str]]) -> tuple[list[re.Match[str]], re.Match[str] | None]:
    """The headings from the first on that have its level and titles of TAB_TITLES, and the heading that ends the last of their sections."""
    run: list[re.Match[str]] = []
    level = len(found[0]["marks"])
    for match in found:
        if len(match["marks"]) > level:
            continue  # a section within the last one
        if len(match["marks"]) < level or match["title"] not in TAB_TITLES:
            return run, match
        run.append(match)
    return run, None


def tab_heading(match: re.Match[str]) -> str:
    title = match["title"].replace("#", r"\#")  # Python-Markdown removes a hash at the end
    return f"{match['marks']} {title} {{ .tab-heading }}\n"


def tab(title: str, body: str) -> str:
    indented = re.sub(r"^(?=.)", "    ", body.strip("\n"), flags=re.MULTILINE)
    return f'=== "{title}"\n\n{indented}\n\n'
