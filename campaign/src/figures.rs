//! Messages that differ in their figures only.

/// A message without its figures: those of one problem group of a plan differ in their figures only, such as "got 12" and "got 13".
#[must_use]
pub fn without_figures(message: &str) -> String {
    letters(message).collect()
}

/// The characters of a message without its figures.
pub(crate) fn letters(message: &str) -> impl Iterator<Item = char> {
    message.chars().filter(|c| !c.is_ascii_digit() && *c != ',')
}
