//! Columns that a misspelled name probably means.

use cpaas_campaign::source::listed_columns;

/// The end of a message about an unknown column: the nearest of the known ones, or all of them.
pub(super) fn nearest(name: &str, known: &[&str]) -> String {
    if let Some(near) = meant(name, known) {
        return format!("; did you mean `{near}`?");
    }
    if known.is_empty() {
        return String::new();
    }
    format!("; {}", listed_columns("the columns are", known, |name| format!("`{name}`")))
}

/// The known name that a misspelled name probably means.
pub(super) fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    cpaas::nearest_name(name, &mut known.iter().copied())
}
