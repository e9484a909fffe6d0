//! `_generated/operations.py` and `_generated/async_operations.py`: the namespaces and their methods.

use std::collections::BTreeSet;

use super::class_names::{ClassNames, namespace};
use super::methods;
use crate::object_names::{camel, metas};

pub(super) fn module(names: &ClassNames, asynchronous: bool) -> String {
    let prefix = if asynchronous { "Async" } else { "" };
    let mut out = if asynchronous { ASYNC_HEAD } else { HEAD }.to_owned();
    let spaces = namespaces();
    for space in spaces.iter().rev() {
        out += &class(names, space, &spaces, asynchronous, prefix);
    }
    out += &format!("\n\nclass {prefix}Namespaces:\n    \"\"\"The namespaces of a client.\"\"\"\n\n");
    for space in top(&spaces) {
        let group = format!("{prefix}{}", camel(space));
        out += &format!("    {space}: Group[{group}] = Group({group})\n");
    }
    let call = callable(asynchronous);
    out += &format!("    _call: {call}\n");
    out += &format!("\n    def _bind(self, call: {call}) -> None:\n        bind(self, call)\n");
    out
}

/// The result of `send` in a namespace that has `send_many`.
fn sent(space: &str) -> Option<&'static str> {
    match space {
        "sms" => Some("Sent"),
        "messages" => Some("Message"),
        _ => None,
    }
}

const fn callable(asynchronous: bool) -> &'static str {
    if asynchronous { "Callable[..., Awaitable[Any]]" } else { "Callable[..., Any]" }
}

const HEAD: &str = r#""""The operations as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import cpaas

from .._bulk.send_many import SendMany
from .._groups import Group, Operations, bind
from .._records import follow
"#;

const ASYNC_HEAD: &str = r#""""The operations as methods to await."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import cpaas

from .._bulk.send_many_async import AsyncSendMany
from .._groups import Group, Operations, bind
from .._records import AsyncPages
"#;

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
    names: &ClassNames,
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
    let sent = sent(space);
    let base = sent.map_or_else(
        || "Operations".to_owned(),
        |result| format!("{prefix}SendMany[\"cpaas.models.{result}\"]"),
    );
    let mut out = format!("\n\nclass {prefix}{}({base}):\n    \"\"\"`client.{space}`\"\"\"\n", camel(space));
    if sent.is_some() {
        out += &format!("\n    _send = \"{space}.send\"\n");
    }
    if !inner.is_empty() {
        let call = callable(asynchronous);
        out += &format!("\n    def __init__(self, call: {call}) -> None:\n        super().__init__(call)\n");
    }
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
