//! Suggestions for mistyped names.

/// Longer names are not compared.
const MAX_LENGTH: usize = 48;

/// The maximum number of separators in a candidate.
const SEPARATORS: usize = 3;

/// The candidate that a mistyped name most likely means: equal apart from case and separators, or at most two edits away
/// (one edit for a name of up to five letters). Two swapped neighbors are one edit.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let name = folded(name);
    let max_edits = if name.len() <= 5 { 1 } else { 2 };
    candidates
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= max_edits + SEPARATORS)
        .map(|candidate| (strsim::osa_distance(&name, &folded(candidate)), candidate))
        .filter(|(edits, _)| *edits <= max_edits)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, candidate)| candidate)
}

/// The name in lower case, without separators.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_similar_names_are_suggested() {
        let names = ["destination", "trafficAccountId", "text", "sms"];
        let find = |name| nearest(name, &mut names.into_iter());
        assert_eq!(find("destinaton"), Some("destination"));
        assert_eq!(find("destiantion"), Some("destination"));
        assert_eq!(find("traffic_account_id"), Some("trafficAccountId"));
        assert_eq!(find("Text"), Some("text"));
        assert_eq!(find("test"), Some("text"));
        assert_eq!(find("txet"), Some("text"));
        assert_eq!(find("sm"), Some("sms"));
        assert_eq!(find("tesd"), None);
        assert_eq!(find("mms2"), None);
        assert_eq!(find(&"x".repeat(1000)), None);
    }
}
