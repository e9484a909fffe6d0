//! The schemas that the operations use, each with a unique Python name.

use std::collections::BTreeMap;

use cpaas::schema::{Field, Format, Kind, Schema};
use cpaas::sms::ElementOutcome;

use crate::object_names::ObjectNames;

/// The identity of a schema: the name and the members.
type Key = (&'static str, Vec<&'static str>);

/// Schemas, each after those that it contains.
#[derive(Default)]
pub(super) struct ClassNames {
    pub(super) inputs: Vec<(String, &'static Schema)>,
    pub(super) outputs: Vec<(String, &'static Schema)>,
    known: BTreeMap<(bool, Key), String>,
}

impl ClassNames {
    pub(super) fn collect() -> Self {
        let (inputs, outputs) = (ObjectNames::of_requests().objects, ObjectNames::of_results().objects);
        let mut names = Self { inputs, outputs, ..Self::default() };
        for (output, list) in [(false, &names.inputs), (true, &names.outputs)] {
            names.known.extend(list.iter().map(|(name, schema)| ((output, key(schema)), name.clone())));
        }
        names
    }

    pub(super) fn of(&self, schema: &Schema, output: bool) -> &str {
        self.known.get(&(output, key(schema))).map_or("", String::as_str)
    }

    /// The Python type of an argument.
    pub(super) fn input_type(&self, kind: &Kind, here: &str) -> String {
        match kind {
            Kind::Array(inner) => format!("Sequence[{}]", self.input_type(inner, here)),
            Kind::Map(inner) => format!("Mapping[str, {}]", self.input_type(inner, here)),
            Kind::OneOrMany(inner) => {
                let one = self.input_type(inner, here);
                format!("Sequence[{one}] | {one}")
            }
            Kind::Object(schema) => format!("{here}{}", self.of(schema, false)),
            Kind::Enum(values) => {
                let values: Vec<_> = values.iter().map(|value| format!("{value:?}")).collect();
                format!("Literal[{}] | str", values.join(", "))
            }
            plain => scalar(plain).to_owned(),
        }
    }

    /// The Python type of an argument or a member of a request.
    pub(super) fn member_type(&self, field: &Field, here: &str) -> String {
        match field.format {
            Format::JsonString => format!("{} | str", self.input_type(&field.kind, here)),
            Format::CommaList => "Sequence[str] | str".to_owned(),
            _ => self.input_type(&field.kind, here),
        }
    }

    /// The Python type of a member of a result.
    pub(super) fn output_type(&self, kind: &Kind, here: &str) -> String {
        match kind {
            Kind::Array(inner) => format!("tuple[{}, ...]", self.output_type(inner, here)),
            Kind::Map(inner) => format!("dict[str, {}]", self.output_type(inner, here)),
            Kind::Object(schema) => format!("{here}{}", self.of(schema, true)),
            // The library determines it; all other names are those of the provider, which may have new ones.
            Kind::Enum(values) if *values == ElementOutcome::VALUES => "ElementOutcome".to_owned(),
            Kind::Enum(_) => "str".to_owned(),
            plain => scalar(plain).to_owned(),
        }
    }
}

const fn scalar(kind: &Kind) -> &'static str {
    match kind {
        Kind::String | Kind::Enum(_) => "str",
        Kind::Boolean => "bool",
        Kind::Integer => "int",
        Kind::Number => "float",
        _ => "Any",
    }
}

fn key(schema: &Schema) -> Key {
    (schema.name, schema.fields.iter().map(|field| field.wire).collect())
}
