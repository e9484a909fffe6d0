//! `_operations.py` and `_async_operations.py`: the namespaces and their methods.

use std::collections::BTreeSet;

use super::classes::{Names, namespace};
use super::methods;
use crate::names::{camel, metas};

pub(super) fn module(names: &Names, asynchronous: bool) -> String {
    let prefix = if asynchronous { "Async" } else { "" };
    let mut out = format!(
        "\"\"\"The operations as methods{}.\"\"\"\n\n{IMPORTS}{}",
        if asynchronous { " to await" } else { "" },
        if asynchronous { ASYNC_PAGES } else { PAGES },
    );
    let spaces = namespaces();
    for space in spaces.iter().rev() {
        out += &class(names, space, &spaces, asynchronous, prefix);
    }
    out += &format!("\n\nclass {prefix}Operations:\n    \"\"\"The namespaces of a client.\"\"\"\n\n",);
    for space in top(&spaces) {
        out += &format!("    {space}: {prefix}{}\n", camel(space));
    }
    let call = if asynchronous { "Callable[..., Awaitable[Any]]" } else { "Callable[..., Any]" };
    out += &format!("\n    def _bind(self, call: {call}) -> None:\n");
    for space in top(&spaces) {
        out += &format!("        self.{space} = {prefix}{}(call)\n", camel(space));
    }
    out
}

const IMPORTS: &str = "from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from typing import Any, Literal

    from . import models, types
";
const PAGES: &str = "\nfrom ._pages import follow\n";
const ASYNC_PAGES: &str = "\nfrom ._pages import AsyncPages\n";

/// All namespaces, outer before inner.
fn namespaces() -> BTreeSet<&'static str> {
    let mut spaces = BTreeSet::new();
    for meta in metas() {
        let space = namespace(meta);
        spaces.extend(space.match_indices('.').filter_map(|(at, _)| space.get(..at)));
        spaces.insert(space);
    }
    spaces
}

fn top<'a>(spaces: &'a BTreeSet<&'static str>) -> impl Iterator<Item = &'static str> + 'a {
    spaces.iter().copied().filter(|space| !space.contains('.'))
}

fn class(
    names: &Names,
    space: &str,
    spaces: &BTreeSet<&'static str>,
    asynchronous: bool,
    prefix: &str,
) -> String {
    let inner: Vec<(&str, &str)> = spaces
        .iter()
        .filter_map(|other| Some((*other, other.strip_prefix(space)?.strip_prefix('.')?)))
        .filter(|(_, name)| !name.contains('.'))
        .collect();
    let slots: String = inner.iter().map(|(_, name)| format!(", {name:?}")).collect();
    let call = if asynchronous { "Callable[..., Awaitable[Any]]" } else { "Callable[..., Any]" };
    let comma = if inner.is_empty() { "," } else { "" };
    let mut out = format!(
        "\n\nclass {prefix}{}:\n    \"\"\"`client.{space}`\"\"\"\n\n    __slots__ = (\"_call\"{slots}{comma})\n\n    def __init__(self, call: {call}) -> None:\n        self._call = call\n",
        camel(space),
    );
    for (path, name) in inner {
        out += &format!("        self.{name} = {prefix}{}(call)\n", camel(path));
    }
    for (index, meta) in metas().enumerate().filter(|(_, meta)| namespace(meta) == space) {
        out += &methods::method(names, index, meta, asynchronous);
    }
    if space == "lookup" {
        out += "\n    __call__ = numbers\n";
    }
    out
}
