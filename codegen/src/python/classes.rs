//! The schemas that the operations use, each with a unique Python name.

use std::collections::BTreeMap;

use cpaas::operation::Meta;
use cpaas::schema::{Field, Format, Kind, Schema};

use crate::names::{camel, metas};

/// The identity of a schema: the name and the members.
type Key = (&'static str, Vec<&'static str>);

/// Schemas, each after those that it contains.
#[derive(Default)]
pub(super) struct Names {
    pub(super) inputs: Vec<(String, &'static Schema)>,
    pub(super) outputs: Vec<(String, &'static Schema)>,
    known: BTreeMap<(bool, Key), String>,
}

impl Names {
    pub(super) fn collect() -> Self {
        let mut found = Vec::new();
        for meta in metas() {
            let family = camel(namespace(meta));
            for field in meta.input.fields {
                visit(&field.kind, &family, false, &mut found);
            }
            visit(&meta.output, &family, true, &mut found);
        }
        let mut names = Self::default();
        for (output, shape, family) in &found {
            let twins = found.iter().filter(|(o, s, _)| o == output && s.name == shape.name).count();
            let name = if twins > 1 { format!("{family}{}", shape.name) } else { shape.name.to_owned() };
            names.known.insert((*output, key(shape)), name.clone());
            let list = if *output { &mut names.outputs } else { &mut names.inputs };
            list.push((name, shape));
        }
        names
    }

    pub(super) fn of(&self, shape: &Schema, output: bool) -> &str {
        self.known.get(&(output, key(shape))).map_or("", String::as_str)
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
            Kind::Object(shape) => format!("{here}{}", self.of(shape, false)),
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
            Kind::Object(shape) => format!("{here}{}", self.of(shape, true)),
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

fn key(shape: &Schema) -> Key {
    (shape.name, shape.fields.iter().map(|field| field.wire).collect())
}

fn visit(kind: &Kind, family: &str, output: bool, found: &mut Vec<(bool, &'static Schema, String)>) {
    match kind {
        Kind::Array(inner) | Kind::Map(inner) => visit(inner, family, output, found),
        Kind::Object(shape) => {
            for field in shape.fields {
                visit(&field.kind, family, output, found);
            }
            if !found.iter().any(|(o, known, _)| *o == output && key(known) == key(shape)) {
                found.push((output, shape, family.to_owned()));
            }
        }
        _ => {}
    }
}

/// `otp.limits` of `otp.limits.create`.
pub(super) fn namespace(meta: &Meta) -> &'static str {
    meta.id.rsplit_once('.').map_or("", |(namespace, _)| namespace)
}
