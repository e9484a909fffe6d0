//! The ledger: what was accepted, for counting what was lost and what came twice.

use serde_json::{Value, json};

use super::Order;
use crate::ledger::Entry;
use crate::provider_error::Outcome;
use crate::reply::Reply;

pub(super) fn ledger(order: &Order<'_>) -> Outcome<Reply> {
    let from = usize::try_from(order.number("from")?.unwrap_or_default()).unwrap_or(usize::MAX);
    let limit = usize::try_from(order.number("limit")?.unwrap_or(10_000)).unwrap_or(usize::MAX);
    let state = order.account.state();
    let entries: Vec<Value> = state
        .ledger
        .iter()
        .enumerate()
        .skip(from)
        .take(limit)
        .map(|(number, entry)| entry.show(number))
        .collect();
    Ok(Reply::ok(&json!({
        "total": state.ledger.len(),
        "limit": state.ledger_limit,
        "bytes_per_entry": size_of::<Entry>(),
        "entries": entries,
    })))
}
