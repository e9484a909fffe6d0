//! The traffic account in the URL of a webhook of `messenger_c`.

use percent_encoding::percent_decode_str;

use crate::util::percent::percent_encode;

/// Adds the traffic account to the query of a webhook's URL, before the fragment.
#[must_use]
pub fn append_traffic_account(url: &str, ta: Option<&str>) -> String {
    let Some(ta) = ta else {
        return url.to_owned();
    };
    let (head, fragment) = url.find('#').map_or((url, ""), |at| url.split_at(at));
    let joint = if head.contains('?') { '&' } else { '?' };
    format!("{head}{joint}ta={}{fragment}", percent_encode(ta))
}

/// Removes the traffic account from the query of a webhook's URL, which is the last `ta`. Returns the URL, otherwise unchanged, and
/// the decoded account. The reverse of [`append_traffic_account`].
#[must_use]
pub(crate) fn split_traffic_account(url: &str) -> (String, Option<String>) {
    let (head, fragment) = url.find('#').map_or((url, ""), |at| url.split_at(at));
    let last = head.rfind("?ta=").max(head.rfind("&ta="));
    let Some((before, after)) = last.and_then(|at| Some((head.get(..at)?, head.get(at + "?ta=".len()..)?)))
    else {
        return (url.to_owned(), None);
    };
    let (ta, rest) = after.find('&').map_or((after, ""), |at| after.split_at(at));
    let rest = if before.contains('?') { rest.to_owned() } else { rest.replacen('&', "?", 1) };
    let ta = percent_decode_str(ta).decode_utf8_lossy().into_owned();
    (format!("{before}{rest}{fragment}"), Some(ta))
}

#[cfg(test)]
mod tests {
    use super::{append_traffic_account, split_traffic_account};

    #[test]
    fn splitting_is_the_reverse_of_appending() {
        let urls = [
            "https://a.example",
            "https://a.example/?x=1",
            "https://a.example/?ta=a",
            "https://a.example/?x=1&ta=a#f",
        ];
        for url in urls {
            for ta in ["b", "b c&d=ä%"] {
                let complete = append_traffic_account(url, Some(ta));
                assert_eq!(
                    split_traffic_account(&complete),
                    (url.to_owned(), Some(ta.to_owned())),
                    "{complete}"
                );
            }
        }
    }

    #[test]
    fn an_account_before_other_parameters_is_found() {
        let split = |url| split_traffic_account(url);
        assert_eq!(
            split("https://a.example/?ta=b&x=1#f"),
            ("https://a.example/?x=1#f".to_owned(), Some("b".to_owned()))
        );
        assert_eq!(
            split("https://a.example/?x=1?ta=b"),
            ("https://a.example/?x=1".to_owned(), Some("b".to_owned()))
        );
        assert_eq!(split("https://a.example/?data=b"), ("https://a.example/?data=b".to_owned(), None));
    }
}
