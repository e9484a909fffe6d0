//! Callback URLs with a token.

use super::url_encoding;
use crate::rules::url::{Url, UrlProblem};
use crate::util::url_parts::{UrlParts, without_fragment};

/// The query parameter with the token (section Authentication, "Callbacks").
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
    /// The host of the URL is not ASCII.
    #[error("the host of the callback URL must be written in Punycode")]
    NotAscii,
    /// The host of the URL is invalid.
    #[error("the host of the callback URL must be a domain name or an IP address")]
    Host,
    /// The port of the URL is invalid.
    #[error("the port of the callback URL must be from 1 to 65535")]
    Port,
    /// The query of the URL already has a parameter `token`.
    #[error("the callback URL must not have a query parameter `token`")]
    CarriesToken,
    /// The token is empty or contains an invalid character.
    #[error("the token must be 1 or more characters of A-Z a-z 0-9 _ . -")]
    Token,
}

/// Adds `token` to a callback URL as its last query parameter, before the fragment.
///
/// The rest of the URL is not changed, so that a template in it can be filled later. A token contains no delimiter of a
/// template.
///
/// ```
/// use cpaas::callback::token_url;
///
/// let url = token_url("https://shop.example/dlr?id=~msgid~#top", "v1.k1.head.tag").unwrap();
/// assert_eq!(url, "https://shop.example/dlr?id=~msgid~&token=v1.k1.head.tag#top");
/// ```
///
/// # Errors
/// [`UrlError`], also if the URL already has a parameter `token`, percent-encoded or not.
pub fn token_url(url: &str, token: &str) -> Result<String, UrlError> {
    check(url)?;
    if token.is_empty() || !token.bytes().all(super::token::is_token_byte) {
        return Err(UrlError::Token);
    }
    let UrlParts { query, fragment, .. } = UrlParts::split(url);
    let front = without_fragment(url);
    let joint = match query {
        None => "?",
        Some(query) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    Ok(format!("{front}{joint}{TOKEN_PARAMETER}={token}{fragment}"))
}

fn check(url: &str) -> Result<(), UrlError> {
    Url::parse(url).map_err(|problem| match problem {
        UrlProblem::Character => UrlError::Character,
        UrlProblem::NotAscii => UrlError::NotAscii,
        UrlProblem::Host => UrlError::Host,
        UrlProblem::Port => UrlError::Port,
        UrlProblem::Scheme
        | UrlProblem::NoHost
        | UrlProblem::Credentials
        | UrlProblem::QueryOrFragment
        | UrlProblem::Other => UrlError::NotHttp,
    })?;
    let parts = UrlParts::split(url);
    match url_encoding::pairs(parts.query.unwrap_or_default()).any(|(name, _)| name == TOKEN_PARAMETER) {
        true => Err(UrlError::CarriesToken),
        false => Ok(()),
    }
}
