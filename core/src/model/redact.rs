//! Redaction of `Debug` output: it shows ids, states and counts, but no phone numbers, message text, names or secrets.

use std::fmt::{Debug, DebugStruct};

use crate::schema::{HasKind, Kind};

/// Members whose text identifies a record or a state, not a person; sorted.
const SHOWN: &[&str] = &[
    "bulkId",
    "cardWidth",
    "category",
    "channel",
    "channelStatus",
    "conversation",
    "cost",
    "count",
    "createdAt",
    "date",
    "dateCreated",
    "dateReceived",
    "dateUpdated",
    "deliveryStatus",
    "encoding",
    "endDate",
    "endTime",
    "event_types",
    "height",
    "id",
    "interval",
    "max",
    "messageId",
    "messagesCount",
    "parseMode",
    "requestID",
    "requestId",
    "sid",
    "startDate",
    "startTime",
    "status",
    "targetSid",
    "timestamp",
    "type",
    "unit",
    "updatedAt",
    "version",
];

/// Whether the text of this member may be shown.
#[must_use]
pub fn shows(wire: &str) -> bool {
    SHOWN.binary_search(&wire).is_ok()
}

pub(crate) fn field<T: Debug + HasKind>(out: &mut DebugStruct<'_, '_>, wire: &'static str, value: &T) {
    if !value.is_set() {
        return;
    }
    if shows_kind(T::KIND) || shows(wire) {
        out.field(wire, value);
    } else {
        out.field(wire, &format_args!("…"));
    }
}

/// Whether a value of this kind contains nothing that must be hidden.
pub(crate) const fn shows_kind(kind: Kind) -> bool {
    match kind {
        Kind::Boolean | Kind::Integer | Kind::Object(_) => true,
        Kind::Array(inner) => shows_kind(*inner),
        _ => false,
    }
}
