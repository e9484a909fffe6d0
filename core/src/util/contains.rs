//! Searches text in text.

/// Whether a text contains a short one. The search of `str::contains` is faster for long ones, and makes the browser module 1 KB larger.
pub(crate) fn contains(text: &str, short: &str) -> bool {
    let starts_at = |at| text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(short.as_bytes()));
    (0..text.len()).any(starts_at)
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn places_at_the_ends_and_between_characters_are_found() {
        for text in ["{code}", "a{code}", "{code}a", "é{{code}", "{cod{code}"] {
            assert!(contains(text, "{code}"), "{text}");
        }
        for text in ["", "{code", "code}", "{cod\u{e9}}", "{ code}"] {
            assert!(!contains(text, "{code}"), "{text}");
        }
    }
}
