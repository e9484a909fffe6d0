//! The recipients that a request names, for faults by recipient.

use crate::object::{Item, Object};
use crate::query;

pub(crate) fn of(body: &[u8], query: &str) -> Vec<String> {
    let mut found: Vec<String> = query::get(query, "msisdn").iter().flat_map(|list| split(list)).collect();
    let Ok(object) = Object::parse(body) else { return found };
    for name in ["to", "To", "destination", "destinations", "msisdn"] {
        match object.get(name) {
            Some(Item::Text(list)) => found.extend(split(list)),
            Some(Item::Deep(serde_json::Value::Array(list))) => {
                found.extend(list.iter().filter_map(|one| one.as_str()).map(str::to_owned));
            }
            _ => {}
        }
    }
    found
}

fn split(list: &str) -> impl Iterator<Item = String> {
    list.split(',').map(|one| one.trim().trim_start_matches('+').to_owned())
}
