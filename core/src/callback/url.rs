//! The token on a callback URL.

use super::encode;

/// The query parameter that carries the token (section Authentication, "Callbacks").
pub const TOKEN_PARAMETER: &str = "token";

/// Why a token cannot be added to a URL. The messages never quote the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// The URL is not an absolute `http` or `https` URL with a host.
    #[error("the callback URL must be an absolute http or https URL")]
    NotHttp,
    /// The URL contains white space or a control character.
    #[error("the callback URL must not contain white space or control characters")]
    Character,
    /// The query of the URL already has a parameter `token`.
    #[error("the callback URL must not have a query parameter `token`")]
    CarriesToken,
    /// The token is empty or contains an invalid character.
    #[error("the token must be 1 or more characters of A-Z a-z 0-9 _ . -")]
    Token,
}

/// Puts `token` on a callback URL as its last query parameter, before the fragment.
///
/// Every byte of the URL is kept as it stands, so that a template with any of the three delimiters can be filled in later; a
/// token has none of the delimiters and survives that unchanged.
///
/// ```
/// use cpaas::callback::token_url;
///
/// let url = token_url("https://shop.example/dlr?id=~msgid~#top", "v1.k1.head.tag").unwrap();
/// assert_eq!(url, "https://shop.example/dlr?id=~msgid~&token=v1.k1.head.tag#top");
/// ```
///
/// # Errors
/// [`UrlError`]; a URL that has a parameter `token` of its own, also one written with percent signs, is refused.
pub fn token_url(url: &str, token: &str) -> Result<String, UrlError> {
    check(url)?;
    if token.is_empty() || !token.bytes().all(super::token::is_token_byte) {
        return Err(UrlError::Token);
    }
    let front = encode::before_fragment(url);
    let fragment = url.strip_prefix(front).unwrap_or_default();
    let joint = match front.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    Ok(format!("{front}{joint}{TOKEN_PARAMETER}={token}{fragment}"))
}

fn check(url: &str) -> Result<(), UrlError> {
    if url.chars().any(|character| character.is_control() || character.is_whitespace()) {
        return Err(UrlError::Character);
    }
    let (scheme, rest) = url.split_once("://").ok_or(UrlError::NotHttp)?;
    let is_http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if !is_http || host.is_empty() || host.starts_with(':') {
        return Err(UrlError::NotHttp);
    }
    let (_, query) = encode::path_and_query(url);
    match encode::pairs(query.unwrap_or_default()).any(|(name, _)| name == TOKEN_PARAMETER) {
        true => Err(UrlError::CarriesToken),
        false => Ok(()),
    }
}
