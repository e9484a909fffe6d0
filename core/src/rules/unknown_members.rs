//! Reports undocumented members.

use crate::extra::Extra;
use crate::json::type_names;
use crate::problem::{Code, Fix, Pointer, Problems, codes};
use crate::schema::{Field, Model};
use crate::util::{folded, nearest};
use crate::value::Value;

/// Names that are reported with another code; a name without a code is reported elsewhere.
pub(crate) type CodeOverrides = &'static [(&'static str, Option<&'static Code>)];

/// Reports the undocumented members of a model.
pub(crate) fn unknown<M: Model>(model: &M, at: &Pointer<'_>, problems: &mut Problems) {
    unknown_or(model, &[], at, problems);
}

/// As [`unknown`], with other codes for some names.
pub(crate) fn unknown_or<M: Model>(
    model: &M,
    overrides: CodeOverrides,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    if !model.extra().is_empty() {
        let codes: (CodeOverrides, CodeOf<'_>) = (overrides, &|_, _| &codes::MSG_FIELD_UNKNOWN);
        report(M::FIELDS, &|name| model.has(name), model.extra(), codes, at, problems);
    }
}

/// As [`unknown`], for an object that is not a model. `code_of` selects the code of an undocumented member.
pub(crate) fn unknown_in(
    fields: &'static [Field],
    has: &dyn Fn(&str) -> bool,
    extra: &Extra,
    code_of: CodeOf<'_>,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    if !extra.is_empty() {
        report(fields, has, extra, (&[], code_of), at, problems);
    }
}

/// Selects the code of an undocumented member by its name and its value.
pub(crate) type CodeOf<'a> = &'a dyn Fn(&str, &Value) -> &'static Code;

fn report(
    fields: &'static [Field],
    has: &dyn Fn(&str) -> bool,
    extra: &Extra,
    (overrides, code_of): (CodeOverrides, CodeOf<'_>),
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    for (name, value) in extra.unexpected() {
        match overrides.iter().find(|(known, _)| *known == name) {
            Some((_, Some(code))) => problems.add_key(code, at, name),
            Some((_, None)) => {}
            None if name == "extra" => {
                let actual = kind(value);
                let added = problems
                    .report_key(&codes::MSG_FIELD_TYPE, at, name)
                    .param("expected", type_names::OBJECT);
                added.param("actual", actual).message(format!("expected an object, got {actual}"));
            }
            None => report_unknown(fields, has, (name, code_of(name, value)), at, problems),
        }
    }
    let inside = at.key("extra");
    for (name, _) in extra.explicit() {
        if fields.iter().any(|field| field.wire == name) {
            problems.add_key(&codes::EXTRA_KNOWN_FIELD, &inside, name);
        }
    }
}

/// The kind of a value, with its article.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => type_names::NULL,
        Value::Bool(_) => type_names::BOOLEAN,
        Value::Number(number) if number.is_f64() => type_names::FRACTION,
        Value::Number(_) => type_names::INTEGER,
        Value::String(_) => type_names::STRING,
        Value::Array(_) => type_names::ARRAY,
        Value::Object(_) => type_names::OBJECT,
    }
}

/// Names of the same thing in different requests of the specification.
const SYNONYMS: &[&[&str]] = &[
    &["from", "sender"],
    &["to", "destination", "destinations", "msisdn"],
    &["text", "body", "message"],
    &["url", "mediaUrl", "fileUrl"],
    &["trafficAccountId", "ta"],
    &["requestId", "sid"],
];

/// The documented member that is absent and that an undocumented name most likely means: the name of the same thing here, whatever its
/// case and separators, or the most similar name.
fn meant(name: &str, fields: &'static [Field], has: &dyn Fn(&str) -> bool) -> Option<&'static str> {
    let absent = || fields.iter().map(|field| field.wire).filter(|wire| !has(wire));
    let name_folded = folded(name);
    let synonyms = SYNONYMS.iter().find(|names| names.iter().any(|one| folded(one) == name_folded));
    let same = synonyms.and_then(|names| absent().find(|wire| names.contains(wire)));
    same.or_else(|| nearest(name, &mut absent()))
}

/// Reports one undocumented member. If it has another name of an absent member, the warning becomes an error. A request has any
/// number of undocumented members, so only some of the warnings are listed; errors always are.
pub(crate) fn report_unknown(
    fields: &'static [Field],
    has: &dyn Fn(&str) -> bool,
    (name, code): (&str, &'static Code),
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let meant = meant(name, fields, has);
    let code = match meant {
        Some(_) if code.id == codes::MSG_FIELD_UNKNOWN.id => &codes::MSG_FIELD_MISSPELLED,
        _ => code,
    };
    if code.id == codes::MSG_FIELD_UNKNOWN.id && !problems.lists_unknown() {
        return;
    }
    let added = problems.report_key(code, at, name);
    if let Some(meant) = meant {
        added
            .append(&format!("; did you mean `{meant}`?"))
            .param("suggestion", meant)
            .fix(Some(Fix::rename(name, meant)));
    }
}

#[cfg(test)]
mod tests {
    use super::SYNONYMS;
    use crate::OperationId;
    use crate::schema::{Kind, Schema};

    /// The names of all members of a request.
    fn collect(schema: &Schema, names: &mut Vec<&'static str>) {
        for field in schema.fields {
            names.push(field.wire);
            let mut kind = &field.kind;
            while let Kind::Array(inner) | Kind::OneOrMany(inner) = kind {
                kind = inner;
            }
            if let Kind::Object(inner) = kind {
                collect(inner, names);
            }
        }
    }

    #[test]
    fn every_synonym_is_a_member_of_a_request() {
        let mut names = Vec::new();
        for operation in OperationId::ALL {
            collect(&operation.meta().input, &mut names);
        }
        for name in SYNONYMS.iter().copied().flatten() {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn a_name_has_one_meaning() {
        let names: Vec<_> = SYNONYMS.iter().copied().flatten().collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1, "{name}");
        }
    }
}
