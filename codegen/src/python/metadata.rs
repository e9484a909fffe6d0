//! `_generated/metadata.py`: the metadata that the package and the native module read.

use cpaas::operation::Meta;
use cpaas::schema::Kind;

use super::arguments::arguments;
use super::class_names::ClassNames;
use super::literals::{quoted, tuple};
use crate::object_names::metas;

pub(super) fn module(names: &ClassNames) -> String {
    let (mut rows, mut ids, mut indexes) = (String::new(), String::new(), String::new());
    for (index, meta) in metas().enumerate() {
        let members = tuple(arguments(meta).iter().map(|argument| quoted(argument.wire())));
        let keywords = tuple(arguments(meta).iter().map(|argument| quoted(argument.name())));
        let (id, result) = (meta.id, output(names, &meta.output));
        rows += &format!(
            "    Operation(\n        {id:?},\n        {members},\n        {keywords},\n        {result:?},\n    ),\n"
        );
        ids += &format!("    {id:?},\n");
        indexes += &format!("{} = {index}\n", constant(meta));
    }
    MODULE.replace("ROWS\n", &rows).replace("IDS\n", &ids).replace("INDEXES\n", &indexes)
}

/// The module; the names in upper case are replaced.
const MODULE: &str = r#""""The metadata of the operations."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias


class Operation(NamedTuple):
    """The metadata of an operation.

    Attributes:
        id: The id, such as `sms.send`.
        members: The names of the members of its request in the specification. "*" is the argument `channels`, whose items
            become members of the request.
        keywords: The arguments of its method, in the order of `members`.
        result: The class of its result in `cpaas.models`; "[X]" for a list of X, "[]" for a list of plain values, and an empty
            string for a plain value.
    """

    id: str
    members: tuple[str, ...]
    keywords: tuple[str, ...]
    result: str


OPERATIONS: tuple[Operation, ...] = (
ROWS
)

OPERATIONS_BY_ID = {operation.id: operation for operation in OPERATIONS}

OperationId: TypeAlias = Literal[
IDS
]

# The index of each operation in `OPERATIONS`: a call with it needs no search for the id.
INDEXES
"#;

/// The name of the constant with the index of an operation.
pub(super) fn constant(meta: &Meta) -> String {
    meta.id.replace('.', "_").to_uppercase()
}

/// The class of a result: its name, its name in brackets for a list, or an empty string for plain values.
fn output(names: &ClassNames, kind: &Kind) -> String {
    match kind {
        Kind::Object(schema) => names.of(schema, true).to_owned(),
        Kind::Array(inner) => format!("[{}]", output(names, inner)),
        _ => String::new(),
    }
}
