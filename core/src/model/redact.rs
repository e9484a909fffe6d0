//! Redaction of `Debug` output: it shows ids, states and counts, but no phone numbers, message text, names or secrets.

use std::fmt::{Debug, DebugStruct};

use crate::schema::{Field, HasKind, Kind};

/// Adds what `Debug` may show of a member. The properties of the member declare whether its text is shown.
pub(crate) fn field<T: Debug + HasKind>(
    out: &mut DebugStruct<'_, '_>,
    fields: &[Field],
    wire: &'static str,
    value: &T,
) {
    if !value.is_set() {
        return;
    }
    if shows_kind(T::KIND) || fields.iter().any(|field| field.wire == wire && field.shown) {
        out.field(wire, value);
    } else {
        out.field(wire, &format_args!("…"));
    }
}

/// Whether a value of this kind contains nothing that must be hidden.
#[must_use]
pub const fn shows_kind(kind: Kind) -> bool {
    match kind {
        Kind::Boolean | Kind::Integer | Kind::Object(_) => true,
        Kind::Array(inner) => shows_kind(*inner),
        _ => false,
    }
}
