const LONGEST: usize = 48;

/// The candidate that a mistyped name most likely means: the same letters in another case, or with
/// or without separators, or up to two slips (one in a name of up to five letters).
#[inline(never)]
pub(crate) fn nearest<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let plain = folded(name);
    let allowed = if plain.len() <= 5 { 1 } else { 2 };
    let (mut least, mut found) = (allowed + 1, None);
    for candidate in candidates {
        let slips = slips(&plain, &folded(candidate));
        if slips < least {
            (least, found) = (slips, Some(candidate));
        }
    }
    found
}

fn folded(name: &str) -> Vec<u8> {
    let mut folded = Vec::new();
    for byte in name.bytes() {
        if !matches!(byte, b'_' | b'-' | b' ') {
            folded.push(byte.to_ascii_lowercase());
        }
    }
    folded
}

/// Insertions, deletions and replacements that make one of the other; two neighbours that changed
/// places are two.
fn slips(left: &[u8], right: &[u8]) -> usize {
    if left.len().abs_diff(right.len()) > 2 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, a) in left.iter().enumerate() {
        let mut diagonal = line;
        let mut before = line + 1;
        for (b, cell) in right.iter().zip(row.iter_mut().skip(1)) {
            let cost = (diagonal + usize::from(a != b)).min(*cell + 1).min(before + 1);
            diagonal = *cell;
            *cell = cost;
            before = cost;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant_and_nothing_else() {
        let names = ["destination", "trafficAccountId", "text", "sms"];
        let find = |name| nearest(name, &mut names.into_iter());
        assert_eq!(find("destinaton"), Some("destination"));
        assert_eq!(find("destiantion"), Some("destination"));
        assert_eq!(find("traffic_account_id"), Some("trafficAccountId"));
        assert_eq!(find("Text"), Some("text"));
        assert_eq!(find("test"), Some("text"));
        assert_eq!(find("tesd"), None);
        assert_eq!(find("mms2"), None);
        assert_eq!(find(&"x".repeat(1000)), None);
    }
}
