//! `operations.js`: the operations as data. `operations.d.ts`: the groups of a client, with one method for each operation.

use std::collections::BTreeSet;

use cpaas::operation::Meta;
use cpaas::schema::{Kind, Schema};

use super::result_types::kind;
use crate::member_names::lower_camel;
use crate::object_names::{ObjectNames, camel, group, groups, inner_groups, metas};
use crate::python::literals::without_sections;
use crate::result_models::{item, items, object};

pub(super) fn module(names: &ObjectNames) -> String {
    let rows: String = metas().map(|meta| format!("  {},\n", row(names, meta))).collect();
    MODULE.replace("ROWS\n", &rows)
}

const MODULE: &str = r"/**
 * The operations of a client.
 *
 * - `group` and `method`: the method is `client.<group>.<method>`.
 * - `result`: the model of the response in `results.js`; null for plain values.
 * - `array`: whether the response is an array of them.
 * - `list`: whether the response is a page; `items` is the path from the page to its records.
 * - `optional`: whether no member of the request is required.
 */
export const OPERATIONS = /* @__PURE__ */ Object.freeze([
ROWS
]);
";

fn row(names: &ObjectNames, meta: &Meta) -> String {
    let result = object(&meta.output).map_or("null".to_owned(), |schema| format!("{:?}", names.of(schema)));
    let page = page(meta);
    let items = page.as_ref().map_or("null".to_owned(), |(_, path)| {
        let names: Vec<_> = path.iter().map(|field| format!("{:?}", lower_camel(field.wire))).collect();
        format!("[{}]", names.join(", "))
    });
    format!(
        "{{ id: {:?}, group: {:?}, method: {:?}, result: {result}, array: {}, list: {}, items: {items}, optional: {} }}",
        meta.id,
        group_path(group(meta)),
        method_name(meta),
        matches!(meta.output, Kind::Array(_)),
        page.is_some(),
        is_optional(meta),
    )
}

/// The model of a page and the path to its records, if the operation returns one.
fn page(meta: &Meta) -> Option<(&'static Schema, Vec<&'static cpaas::schema::Field>)> {
    let Kind::Object(schema) = meta.output else { return None };
    Some((schema, items(schema)?))
}

/// Whether a request may be empty.
fn is_optional(meta: &Meta) -> bool {
    !meta.input.fields.iter().any(|field| field.required && field.config.is_none())
}

/// The type of a request. A client adds required members that its settings have.
fn request_type(meta: &Meta) -> String {
    let from_settings: Vec<_> = meta
        .input
        .fields
        .iter()
        .filter(|field| field.required && field.config.is_some())
        .map(|field| format!("{:?}", field.wire))
        .collect();
    let request = format!("Requests[{:?}]", meta.id);
    if from_settings.is_empty() {
        request
    } else {
        format!("FromSettings<{request}, {}>", from_settings.join(" | "))
    }
}

/// `webhooks.messenger_b` to `webhooks.messengerB`.
fn group_path(group: &str) -> String {
    group.split('.').map(lower_camel).collect::<Vec<_>>().join(".")
}

fn method_name(meta: &Meta) -> String {
    lower_camel(meta.id.rsplit_once('.').map_or(meta.id, |(_, name)| name))
}

pub(super) fn types(names: &ObjectNames) -> String {
    let mut used = BTreeSet::new();
    for meta in metas() {
        used.extend(object(&meta.output).map(|schema| names.of(schema)));
        used.extend(page(meta).and_then(|(_, path)| item(&path)).map(|schema| names.of(schema)));
    }
    let used: Vec<_> = used.into_iter().collect();
    let mut out = TYPES.replace("RESULTS", &used.join(", "));
    let groups = groups();
    for path in groups.iter().rev() {
        out += &interface(names, path, &groups);
    }
    out += "\n/** The groups of a client. */\nexport interface ClientOperations {\n";
    for (path, name) in inner_groups(&groups, "") {
        out += &format!("  readonly {}: {}Operations;\n", lower_camel(name), camel(path));
    }
    out + "}\n"
}

const TYPES: &str = r#"import type { CallOptions, CallResult, Paged } from "./call-types.js";
import type { Requests } from "./requests.js";
import type { RESULTS } from "./results.js";

/** A request whose members `Names` a client adds from its settings if they are absent. */
export type FromSettings<Request, Names extends keyof Request> = Omit<Request, Names> & Partial<Pick<Request, Names>>;
"#;

fn interface(names: &ObjectNames, path: &str, groups: &BTreeSet<&str>) -> String {
    let mut out = format!(
        "\n/** The operations `{}.*`. */\nexport interface {}Operations {{\n",
        group_path(path),
        camel(path)
    );
    for (path, name) in inner_groups(groups, path) {
        out += &format!("  readonly {}: {}Operations;\n", lower_camel(name), camel(path));
    }
    for meta in metas().filter(|meta| group(meta) == path) {
        out += &method(names, meta);
    }
    out + "}\n"
}

fn method(names: &ObjectNames, meta: &Meta) -> String {
    let summary = without_sections(meta.input.doc).split_whitespace().collect::<Vec<_>>().join(" ");
    let mark = if is_optional(meta) { "?" } else { "" };
    let output = kind(names, &meta.output);
    let result = match (page(meta).and_then(|(_, path)| item(&path)), &meta.output) {
        (Some(item), _) => format!("Paged<{output}, {}>", names.of(item)),
        // An unreadable id is null.
        (None, Kind::Array(inner)) if object(inner).is_none() => {
            format!("Promise<CallResult<({} | null)[]>>", kind(names, inner))
        }
        (None, _) => format!("Promise<CallResult<{output}>>"),
    };
    format!(
        "  /**\n   * {summary}\n   *\n   * Section {} of the specification.\n   * @throws {{CpaasError}} For every outcome except accepted.\n   */\n  {}(request{mark}: {}, options?: CallOptions): {result};\n",
        meta.section,
        method_name(meta),
        request_type(meta)
    )
}
