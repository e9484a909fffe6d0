//! The objects inside requests and responses, each with a unique name.

use cpaas::OperationId;
use cpaas::operation::Meta;
use cpaas::schema::{Kind, Schema};

/// Objects, each after those that it contains.
#[derive(Debug)]
pub struct Names {
    /// The objects with their names.
    pub objects: Vec<(String, &'static Schema)>,
}

impl Names {
    /// The objects inside requests.
    #[must_use]
    pub fn of_requests() -> Self {
        Self::collect(false)
    }

    /// The objects inside requests, the responses, and the objects inside those.
    #[must_use]
    pub fn of_requests_and_answers() -> Self {
        Self::collect(true)
    }

    fn collect(answers: bool) -> Self {
        let mut found: Vec<(&'static Schema, String)> = Vec::new();
        for meta in metas() {
            let family = meta.id.rsplit_once('.').map_or("", |(family, _)| family);
            for field in meta.input.fields {
                visit(&field.kind, &camel(family), &mut found);
            }
            if answers {
                visit(&meta.output, &camel(family), &mut found);
            }
        }
        let twins = |name: &str| found.iter().filter(|(shape, _)| shape.name == name).count() > 1;
        let objects = found
            .iter()
            .map(|(shape, family)| {
                let name =
                    if twins(shape.name) { format!("{family}{}", shape.name) } else { shape.name.to_owned() };
                (name, *shape)
            })
            .collect();
        Self { objects }
    }

    /// The name of an object.
    #[must_use]
    pub fn of(&self, shape: &Schema) -> &str {
        self.objects.iter().find(|(_, known)| same(known, shape)).map_or("", |(name, _)| name)
    }
}

/// The rows of the table, in its order.
pub fn metas() -> impl Iterator<Item = &'static Meta> {
    OperationId::ALL.iter().map(|operation| operation.meta())
}

/// `otp.limits` to `OtpLimits`, `send_bulk` to `SendBulk`.
#[must_use]
pub fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|letter| letter.to_ascii_uppercase())
            .into_iter()
            .chain(letters)
            .collect::<String>()
    };
    name.split(['.', '_']).map(capital).collect()
}

fn same(one: &Schema, other: &Schema) -> bool {
    let wires = |shape: &Schema| shape.fields.iter().map(|field| field.wire).collect::<Vec<_>>();
    one.name == other.name && wires(one) == wires(other)
}

fn visit(kind: &Kind, family: &str, found: &mut Vec<(&'static Schema, String)>) {
    match kind {
        Kind::Array(inner) | Kind::Map(inner) | Kind::OneOrMany(inner) => visit(inner, family, found),
        Kind::Object(shape) => {
            for field in shape.fields {
                visit(&field.kind, family, found);
            }
            if !found.iter().any(|(known, _)| same(known, shape)) {
                found.push((shape, family.to_owned()));
            }
        }
        _ => {}
    }
}
