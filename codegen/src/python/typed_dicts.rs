//! `types.py`: the nested objects of requests, with the specification's names.

use cpaas::channel::Channel;
use cpaas::schema::{Field, Schema};

use super::class_names::ClassNames;
use super::literals::{doc, wrap};
use super::names::exported;
use crate::object_names::{camel, metas};

pub(super) fn module(names: &ClassNames) -> String {
    let mut out = concat!(
        "\"\"\"The nested objects of requests, plain dicts with the specification's names; and the sets of names that results and errors use.\"\"\"\n\n",
        "from __future__ import annotations\n\n",
        "from collections.abc import Mapping, Sequence\n",
        "from typing import TYPE_CHECKING, Any, Literal\n\n",
        "from ._generated.metadata import OperationId as OperationId\n",
        "NAMES\n",
        "if TYPE_CHECKING:\n    from typing import TypedDict\nelse:\n",
        "    try:  # pydantic requires it before Python 3.12\n        from typing_extensions import TypedDict\n",
        "    except ImportError:\n        from typing import TypedDict\n",
    )
    .to_owned();
    let imports: String = exported()
        .into_iter()
        .map(|name| format!("from ._generated.names import {name} as {name}\n"))
        .collect();
    out = out.replace("NAMES\n", &format!("{imports}\n"));
    for (name, schema) in &names.inputs {
        out += &class(names, name, schema);
    }
    out += "\n\nclass Channels(TypedDict, total=False):\n    \"\"\"The channel objects, in the order in which they are tried.\"\"\"\n\n";
    for (name, schema) in names.inputs.iter().filter(|(_, schema)| is_channel(schema)) {
        out += &format!("    {}: {name}\n", channel(schema).unwrap_or_default());
    }
    for meta in metas() {
        out += &class(names, &camel(meta.id), &meta.input);
    }
    out
}

fn channel(schema: &Schema) -> Option<&'static str> {
    Channel::NAMES.iter().copied().find(|name| camel(name) == schema.name)
}

fn is_channel(schema: &Schema) -> bool {
    channel(schema).is_some()
}

fn class(names: &ClassNames, name: &str, schema: &Schema) -> String {
    let (required, optional): (Vec<&Field>, Vec<&Field>) =
        schema.fields.iter().partition(|field| field.required);
    let text = format!("    \"\"\"{}\"\"\"\n", doc(schema.doc));
    if !required.iter().all(|field| is_identifier(field)) {
        let base = functional(names, &format!("_{name}"), &required);
        let rest = members(names, optional.into_iter());
        return format!("{base}\n\nclass {name}(_{name}, total=False):\n{text}{rest}");
    }
    if required.is_empty() || optional.is_empty() {
        let total = if optional.is_empty() { "" } else { ", total=False" };
        return format!(
            "\n\nclass {name}(TypedDict{total}):\n{text}{}",
            members(names, schema.fields.iter())
        );
    }
    format!(
        "\n\nclass _{name}(TypedDict):\n{}\n\nclass {name}(_{name}, total=False):\n{text}{}",
        members(names, required.into_iter()).trim_start_matches('\n'),
        members(names, optional.into_iter()),
    )
}

/// Whether the name is valid in a class body; a keyword of Python is not.
fn is_identifier(field: &Field) -> bool {
    !super::literals::snake(field.wire).ends_with('_')
}

fn functional(names: &ClassNames, name: &str, fields: &[&Field]) -> String {
    let mut out = format!("\n\n{name} = TypedDict(\n    {name:?},\n    {{\n");
    for field in fields {
        out += &format!("        {:?}: {:?},\n", field.wire, hint(names, field).replace('"', "'"));
    }
    out + "    },\n)\n"
}

fn members<'a>(names: &ClassNames, fields: impl Iterator<Item = &'a Field>) -> String {
    let mut out = "\n".to_owned();
    for field in fields {
        if !field.doc.is_empty() {
            out += &wrap(&doc(field.doc), "    # ");
        }
        out += &format!("    {}: {}\n", field.wire, hint(names, field));
    }
    out
}

fn hint(names: &ClassNames, field: &Field) -> String {
    names.member_type(field, "")
}
