//! Collects the objects inside requests and responses and gives each a unique name.

use cpaas::OperationId;
use cpaas::operation::Meta;
use cpaas::schema::{Kind, Schema};

/// Objects, each after those that it contains.
#[derive(Debug)]
pub struct ObjectNames {
    /// The objects with their names.
    pub objects: Vec<(String, &'static Schema)>,
}

impl ObjectNames {
    /// The objects inside requests.
    #[must_use]
    pub fn of_requests() -> Self {
        Self::collect(false)
    }

    /// The objects inside requests, the responses, and the objects inside those.
    #[must_use]
    pub fn of_requests_and_responses() -> Self {
        Self::collect(true)
    }

    fn collect(with_responses: bool) -> Self {
        let mut found: Vec<(&'static Schema, String)> = Vec::new();
        for meta in metas() {
            let family = meta.id.rsplit_once('.').map_or("", |(family, _)| family);
            for field in meta.input.fields {
                visit(&field.kind, &camel(family), &mut found);
            }
            if with_responses {
                visit(&meta.output, &camel(family), &mut found);
            }
        }
        Self { objects: unique(&found) }
    }

    /// The name of an object.
    #[must_use]
    pub fn of(&self, schema: &Schema) -> &str {
        self.objects.iter().find(|(_, known)| same(known, schema)).map_or("", |(name, _)| name)
    }
}

/// Gives each schema a unique name: a name that several schemas share gets the family as a prefix.
pub(crate) fn unique(found: &[(&'static Schema, String)]) -> Vec<(String, &'static Schema)> {
    let twins = |name: &str| found.iter().filter(|(schema, _)| schema.name == name).count() > 1;
    let named = found.iter().map(|(schema, family)| {
        let name =
            if twins(schema.name) { format!("{family}{}", schema.name) } else { schema.name.to_owned() };
        (name, *schema)
    });
    named.collect()
}

/// The metadata of every operation, in the order of their list.
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
    let wires = |schema: &Schema| schema.fields.iter().map(|field| field.wire).collect::<Vec<_>>();
    one.name == other.name && wires(one) == wires(other)
}

/// Adds the objects of a kind that are not listed yet, each after those that it contains.
pub(crate) fn visit(kind: &Kind, family: &str, found: &mut Vec<(&'static Schema, String)>) {
    match kind {
        Kind::Array(inner) | Kind::Map(inner) | Kind::OneOrMany(inner) => visit(inner, family, found),
        Kind::Object(schema) => {
            for field in schema.fields {
                visit(&field.kind, family, found);
            }
            if !found.iter().any(|(known, _)| same(known, schema)) {
                found.push((schema, family.to_owned()));
            }
        }
        _ => {}
    }
}
