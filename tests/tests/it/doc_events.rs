//! The section "Events" of docs/callbacks.md lists the members of each kind of event and the statuses that the library knows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cpaas::callback::{Event, Status, StatusKind};
use serde_json::{Map, Value, json};

/// The cells of the table that follows a header, without the line below the header.
fn rows(text: &str, header: &str) -> Vec<Vec<String>> {
    let after = text.split_once(header).unwrap_or_else(|| panic!("{header}")).1;
    after
        .lines()
        .skip(2)
        .take_while(|row| row.starts_with('|'))
        .map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).unwrap()
}

fn words(cell: &str) -> BTreeSet<String> {
    cell.replace('`', "").split_whitespace().map(str::to_owned).collect()
}

/// The members of each kind.
fn listed() -> BTreeMap<String, BTreeSet<String>> {
    let table = rows(&read("docs/callbacks.md"), "| `kind` | Members |");
    table.iter().map(|row| (row[0].replace('`', ""), words(&row[1]))).collect()
}

#[test]
fn the_page_lists_the_members_that_the_module_documents() {
    let source = read("core/src/callback/event.rs").replace("//! |", "|");
    let documented: BTreeMap<_, _> = rows(&source, "| `kind` | Type | Members |")
        .iter()
        .map(|row| (row[0].replace('`', ""), words(&row[2])))
        .collect();
    assert_eq!(listed(), documented);
    assert_eq!(documented.len(), 7);
}

#[test]
fn every_listed_member_is_a_member_of_its_event() {
    for (kind, members) in listed() {
        let value = |name: &str| match (name, kind.as_str()) {
            ("extra" | "raw", _) => json!({"a": 1}),
            ("source", _) => json!("sms_report"),
            ("event", "business_chat") => json!("suggestion"),
            _ => json!("x"),
        };
        let mut object: Map<String, Value> = members.iter().map(|name| (name.clone(), value(name))).collect();
        object.insert("kind".to_owned(), json!(kind));
        let event: Event = serde_json::from_value(object.clone().into()).unwrap();
        assert_eq!(event.kind(), kind);
        assert_eq!(serde_json::to_value(&event).unwrap(), Value::Object(object), "{kind}");
    }
}

#[test]
fn the_statuses_have_their_rank() {
    let table = rows(&read("docs/callbacks.md"), "| `status` | Meaning | Final | Rank |");
    let (unknown, known) = table.split_last().unwrap();
    for row in known {
        let status = Status::new(row[0].trim_matches('`'));
        assert_eq!(format!("{:?}", status.kind()), status.as_str());
        assert_eq!(
            (status.is_final(), status.rank().to_string()),
            (row[2] == "yes", row[3].clone()),
            "{row:?}"
        );
    }
    let kinds: BTreeSet<_> = known.iter().map(|row| row[0].clone()).collect();
    assert_eq!(kinds.len(), 9);
    let other = Status::new("any other");
    assert_eq!(
        (other.kind(), other.is_final(), other.rank().to_string()),
        (StatusKind::Other, unknown[2] == "yes", unknown[3].clone())
    );
}
