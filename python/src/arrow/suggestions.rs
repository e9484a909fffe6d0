//! Columns that a misspelled name probably means.

/// The maximum number of columns that a message lists.
const MAX_NAMES: usize = 20;

/// The end of a message about an unknown column: the nearest of the known ones, or all of them.
pub(super) fn nearest(name: &str, known: &[&str]) -> String {
    if let Some(near) = meant(name, known) {
        return format!("; did you mean `{near}`?");
    }
    let names: Vec<String> = known.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > MAX_NAMES { ", …" } else { "" };
    if names.is_empty() { String::new() } else { format!("; the columns are {}{more}", names.join(", ")) }
}

/// The known name that a misspelled name probably means.
pub(super) fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    cpaas::nearest_name(name, &mut known.iter().copied())
}
