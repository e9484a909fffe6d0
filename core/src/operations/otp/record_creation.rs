//! What the operations of the family `otp` that create a record share: the proof that it exists, and its search after an unknown outcome.

use serde::Serialize;

use crate::operation::{Operation, Unconfirmed};
use crate::reconcile::{ByName, Reconcile};
use crate::request::{RequestContext, encoding};

/// Confirms the creation of a record by its id, without which the caller can neither change nor delete it.
pub(super) fn created(sid: Option<&str>) -> Result<(), Unconfirmed> {
    if sid.is_none_or(str::is_empty) { Err(Unconfirmed::IdMissing) } else { Ok(()) }
}

/// The reconciliation of a create: searches the pages of a list for the record, by its unique name. `duplicate` is the provider's
/// code for an existing name.
pub(super) fn search_by_name<C: Serialize, L: Operation>(
    create: &C,
    name: &str,
    list: fn(Option<i64>) -> L,
    context: &RequestContext,
    duplicate: i64,
) -> Box<dyn Reconcile> {
    let context = context.clone();
    let page = move |page| list(page).encode_request(&context).ok();
    let mut sent = encoding::members(create);
    sent.remove("name");
    Box::new(ByName::new(page, name, sent, duplicate))
}
