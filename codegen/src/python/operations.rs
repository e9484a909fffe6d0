//! `_generated/operations.py` and `_generated/async_operations.py`: the groups of operations and their methods.

use std::collections::BTreeSet;

use super::class_names::ClassNames;
use super::metadata::constant;
use super::methods;
use crate::object_names::{camel, group, groups, inner_groups, metas};

pub(super) fn module(names: &ClassNames, asynchronous: bool) -> String {
    let prefix = if asynchronous { "Async" } else { "" };
    let constants: String = metas().map(|meta| format!("    {},\n", constant(meta))).collect();
    let mut out = if asynchronous { ASYNC_HEAD } else { HEAD }.replace("CONSTANTS\n", &constants);
    let groups = groups();
    for path in groups.iter().rev() {
        out += &class(names, path, &groups, asynchronous, prefix);
    }
    out += &format!("\n\nclass {prefix}Groups:\n    \"\"\"The groups of a client.\"\"\"\n\n");
    for (path, _) in inner_groups(&groups, "") {
        let class = format!("{prefix}{}", camel(path));
        out += &format!("    {path}: group_property[{class}] = group_property({class})\n");
    }
    out
}

/// The result of `send` in a group with the convenience method `send_many`.
fn sent(path: &str) -> Option<&'static str> {
    match path {
        "sms" => Some("Sent"),
        "messages" => Some("Message"),
        _ => None,
    }
}

/// The base class of a group with the convenience method `ensure`.
fn ensured(path: &str) -> Option<&'static str> {
    match path {
        "otp.limits" => Some("EnsureLimit"),
        "otp.workflows" => Some("EnsureWorkflow"),
        _ => None,
    }
}

const HEAD: &str = r#""""The operations as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import cpaas

from .._bulk.ensure import EnsureLimit, EnsureWorkflow
from .._bulk.send_many import SendMany
from .._groups import OperationGroup, group_property
from .._pages import first_page
from .metadata import (
CONSTANTS
)
"#;

const ASYNC_HEAD: &str = r#""""The operations as methods to await."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal

import cpaas

from .._bulk.ensure import AsyncEnsureLimit, AsyncEnsureWorkflow
from .._bulk.send_many_async import AsyncSendMany
from .._groups import OperationGroup, group_property
from .._pages import AsyncPaginator
from .metadata import (
CONSTANTS
)
"#;

fn class(
    names: &ClassNames,
    path: &str,
    groups: &BTreeSet<&'static str>,
    asynchronous: bool,
    prefix: &str,
) -> String {
    let inner = inner_groups(groups, path);
    let sent = sent(path);
    let base = match (sent, ensured(path)) {
        (Some(result), _) => format!("{prefix}SendMany[\"cpaas.models.{result}\"]"),
        (None, Some(class)) => format!("{prefix}{class}"),
        (None, None) => "OperationGroup".to_owned(),
    };
    let mut out = format!(
        "\n\nclass {prefix}{}({base}):\n    \"\"\"The operations `{path}.*`.\"\"\"\n\n    _path = \"client.{path}\"\n",
        camel(path)
    );
    if sent.is_some() {
        out += &format!("    _send = \"{path}.send\"\n");
    }
    if !inner.is_empty() {
        let call = if asynchronous { "Callable[..., Awaitable[Any]]" } else { "Callable[..., Any]" };
        out += &format!("\n    def __init__(self, call: {call}) -> None:\n        super().__init__(call)\n");
    }
    for (path, name) in inner {
        out += &format!("        self.{name} = {prefix}{}(call)\n", camel(path));
    }
    for meta in metas().filter(|meta| group(meta) == path) {
        out += &methods::method(names, meta, asynchronous);
    }
    if path == "lookup" {
        out += "\n    __call__ = numbers\n";
    }
    out
}
