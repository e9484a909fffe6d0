//! `results.js`: the names of the members of results in camel case. `results.d.ts`: the types of results.

use cpaas::schema::{Kind, Schema};
use cpaas::sms::ElementOutcome;

use super::request_types::{comment, hint};
use crate::member_names::lower_camel;
use crate::object_names::ObjectNames;
use crate::python::literals::without_sections;
use crate::result_models::{has_success_code, object};

/// The member that the library adds to results with a code.
const OK: &str = "  /** Whether the code is 200. False only after `otp.verify`: the passcode is wrong, expired, cancelled or already used, or no passcode has this request id and service; `code` and `message` say which. */\n  ok: boolean;\n";

pub(super) fn module(names: &ObjectNames) -> String {
    let mut out = "/** The models of results: by the name of a member in the specification, its name here and the model of a nested record. */\nexport const MODELS = {\n"
        .to_owned();
    for (name, schema) in &names.objects {
        out += &format!("  {name}: {{\n");
        for field in schema.fields {
            let nested = object(&field.kind).map(|schema| format!(", {:?}", names.of(schema)));
            let (name, nested) = (lower_camel(field.wire), nested.unwrap_or_default());
            out += &format!("    {}: [{name:?}{nested}],\n", field.wire);
        }
        out += "  },\n";
    }
    let with_ok: Vec<_> = with_ok(names).map(|name| format!("{name:?}")).collect();
    out + &format!(
        "}};\n\n/** The models that get the member `ok`: whether the code reports success. */\nexport const WITH_OK = /* @__PURE__ */ new Set([{}]);\n",
        with_ok.join(", ")
    )
}

fn with_ok(names: &ObjectNames) -> impl Iterator<Item = &str> {
    names.objects.iter().filter(|(_, schema)| has_success_code(schema)).map(|(name, _)| name.as_str())
}

pub(super) fn types(names: &ObjectNames) -> String {
    let mut out = "import type { ElementOutcome } from \"./names.js\";\n".to_owned();
    for (name, schema) in &names.objects {
        out += &interface(names, name, schema);
    }
    out
}

fn interface(names: &ObjectNames, name: &str, schema: &'static Schema) -> String {
    let mut out = format!("\n{}export interface {name} {{\n", comment(&without_sections(schema.doc), ""));
    for field in schema.fields {
        let mark = if field.present { "" } else { "?" };
        out += &comment(&without_sections(field.doc), "  ");
        out += &format!("  {}{mark}: {};\n", lower_camel(field.wire), kind(names, &field.kind));
    }
    if has_success_code(schema) {
        out += OK;
    }
    out += "  /** Members that the specification does not document. */\n";
    out + "  extra?: Record<string, unknown>;\n}\n"
}

/// The type of a value. The library determines an `ElementOutcome`; all other names are those of the provider, which may have new ones.
pub(super) fn kind(names: &ObjectNames, kind: &Kind) -> String {
    match kind {
        Kind::Enum(values) if *values == ElementOutcome::VALUES => "ElementOutcome".to_owned(),
        other => hint(names, other),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The properties that a client adds to each result, and the members that this package adds to some.
    const ADDED: [&str; 5] = ["response", "warnings", "callId", "extra", "ok"];

    #[test]
    fn no_two_members_of_a_model_have_the_same_name() {
        for (model, schema) in &ObjectNames::of_results().objects {
            let names: BTreeSet<_> = schema.fields.iter().map(|field| lower_camel(field.wire)).collect();
            assert_eq!(names.len(), schema.fields.len(), "{model}");
            for name in &names {
                let is_added = ADDED.contains(&name.as_str()) && crate::result_models::is_returned(schema);
                assert!(!is_added || name == "ok" && !has_success_code(schema), "{model}.{name}");
                assert_ne!(name, "extra", "{model}");
            }
        }
    }
}
