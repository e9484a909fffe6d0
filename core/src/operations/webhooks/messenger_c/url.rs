/// Joins the traffic account to a webhook's URL: with `?`, or with `&` when the URL has a query; before a fragment.
#[must_use]
pub fn join_ta(url: &str, ta: Option<&str>) -> String {
    let Some(ta) = ta else {
        return url.to_owned();
    };
    let (head, fragment) = url.find('#').map_or((url, ""), |at| url.split_at(at));
    let joint = if head.contains('?') { '&' } else { '?' };
    format!("{head}{joint}ta={}{fragment}", crate::wire::encode(ta))
}

/// Takes the last traffic account out of a webhook's URL; every other part is kept byte for byte.
#[must_use]
pub fn split_ta(url: &str) -> (String, Option<String>) {
    let (head, fragment) = url.find('#').map_or((url, ""), |at| url.split_at(at));
    let Some((before, after)) = head.rsplit_once("?ta=").or_else(|| head.rsplit_once("&ta=")) else {
        return (url.to_owned(), None);
    };
    let (ta, rest) = after.find('&').map_or((after, ""), |at| after.split_at(at));
    let rest = if before.contains('?') { rest.to_owned() } else { rest.replacen('&', "?", 1) };
    (format!("{before}{rest}{fragment}"), Some(ta.to_owned()))
}
