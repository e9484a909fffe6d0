//! `_generated/metadata.py`: the metadata that the native module reads.

use cpaas::schema::Kind;

use super::arguments::arguments;
use super::class_names::ClassNames;
use super::literals::{quoted, tuple};
use crate::object_names::metas;

pub(super) fn module(names: &ClassNames) -> String {
    let mut out = "\"\"\"The metadata of each operation: the members of its request, their keyword arguments, and the class of its result.\"\"\"\n\nOPERATIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], str], ...] = (\n".to_owned();
    for meta in metas() {
        let inputs = tuple(arguments(meta).iter().map(|argument| quoted(argument.wire())));
        let keywords = tuple(arguments(meta).iter().map(|argument| quoted(argument.name())));
        out += &format!(
            "    (\n        {:?},\n        {inputs},\n        {keywords},\n        {:?},\n    ),\n",
            meta.id,
            output(names, &meta.output)
        );
    }
    out + ")\n"
}

/// The class of a result: its name, its name in brackets for a list, or an empty string for plain values.
fn output(names: &ClassNames, kind: &Kind) -> String {
    match kind {
        Kind::Object(schema) => names.of(schema, true).to_owned(),
        Kind::Array(inner) => format!("[{}]", output(names, inner)),
        _ => String::new(),
    }
}
