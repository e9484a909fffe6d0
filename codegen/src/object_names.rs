//! Collects the objects inside requests and responses and gives each a unique name.

use std::collections::BTreeSet;

use cpaas::OperationId;
use cpaas::operation::Meta;
use cpaas::schema::{Kind, Schema};

/// The parts of the operations whose objects are collected.
#[derive(Clone, Copy)]
struct Parts {
    requests: bool,
    responses: bool,
}

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
        Self::collect(Parts { requests: true, responses: false })
    }

    /// The responses, and the objects inside them.
    #[must_use]
    pub fn of_results() -> Self {
        Self::collect(Parts { requests: false, responses: true })
    }

    /// The objects inside requests, the responses, and the objects inside those.
    #[must_use]
    pub fn of_requests_and_responses() -> Self {
        Self::collect(Parts { requests: true, responses: true })
    }

    fn collect(parts: Parts) -> Self {
        let mut found: Vec<(&'static Schema, String)> = Vec::new();
        for meta in metas() {
            let family = camel(group(meta));
            for field in meta.input.fields.iter().filter(|_| parts.requests) {
                visit(&field.kind, &family, &mut found);
            }
            if parts.responses {
                visit(&meta.output, &family, &mut found);
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

/// The group of an operation: `otp.limits` of `otp.limits.create`.
pub(crate) fn group(meta: &Meta) -> &'static str {
    meta.id.rsplit_once('.').map_or("", |(group, _)| group)
}

/// All groups, outer before inner.
pub(crate) fn groups() -> BTreeSet<&'static str> {
    let mut groups = BTreeSet::new();
    for meta in metas() {
        let path = group(meta);
        groups.extend(path.match_indices('.').filter_map(|(at, _)| path.get(..at)));
        groups.insert(path);
    }
    groups
}

/// The groups directly inside a group, with their last names; the outermost groups for an empty path.
pub(crate) fn inner_groups<'a>(groups: &BTreeSet<&'a str>, path: &str) -> Vec<(&'a str, &'a str)> {
    let inside = |other: &'a str| {
        if path.is_empty() { Some(other) } else { other.strip_prefix(path)?.strip_prefix('.') }
    };
    groups
        .iter()
        .filter_map(|other| Some((*other, inside(other)?)))
        .filter(|(_, name)| !name.contains('.'))
        .collect()
}

/// Gives each schema a unique name: a name that several schemas share gets the family as a prefix.
fn unique(found: &[(&'static Schema, String)]) -> Vec<(String, &'static Schema)> {
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
fn visit(kind: &Kind, family: &str, found: &mut Vec<(&'static Schema, String)>) {
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
