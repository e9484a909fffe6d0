//! Messages whose one-time code fills itself in: origin-bound codes for web pages, and SMS Retriever for apps of Android.
//!
//! | Reader | The message | Source |
//! |---|---|---|
//! | a page, in Safari and in Chrome | ends with the line `@host #code`, optionally followed by ` @embedded-host` | "Origin-bound one-time codes delivered via SMS" (WICG), section 3 |
//! | an app of Android | has at most 140 bytes and ends with the 11-character hash of the app | "Perform SMS verification on a server" (Google Play services, SMS Retriever) |
//! | Android, with the consent of the user | has a code of 4 to 10 letters and digits, at least one of them a digit | "SMS User Consent" (Google Play services) |
//!
//! The six digits of `{code}`, which the provider inserts, meet all of them: the token has six characters too, so lengths do not change.
//!
//! ```
//! use cpaas::text::autofill::{self, Autofill};
//!
//! let body = Autofill::new().host("shop.example").body("{code} is your Acme code.")?;
//! assert_eq!(body, "{code} is your Acme code.\n\n@shop.example #{code}");
//!
//! let sent = autofill::check(&body.replace("{code}", "747723"));
//! assert_eq!((sent.host.as_deref(), sent.code.as_deref()), (Some("shop.example"), Some("747723")));
//! assert!(sent.problems.is_empty());
//! # Ok::<(), autofill::AutofillError>(())
//! ```

use std::net::Ipv4Addr;

use serde::Serialize;

use crate::model::optional_setters;
use crate::problem::{Fix, Pointer, Problem, Problems, codes};
use crate::rules::length::BYTES;
use crate::rules::url;
use crate::util::{contains, error_codes};
use crate::value::{Value, to_json};

/// The token that the provider replaces by the passcode (A1).
const TOKEN: &str = "{code}";
/// The maximum size of a message of SMS Retriever, in bytes of UTF-8.
pub const MAX_RETRIEVER_BYTES: usize = 140;
/// The number of characters of the hash of an app.
pub const APP_HASH_LENGTH: usize = 11;
/// The largest size of a domain name, and of one of its labels (RFC 1035, section 2.3.4), in bytes.
const MAX_HOST: usize = 253;
const MAX_LABEL: usize = 63;
/// The number of characters of a code that Android recognizes.
const CODE_LENGTH: std::ops::RangeInclusive<usize> = 4..=10;

/// Why a message or the hash of an app cannot be made. The messages quote no input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AutofillError {
    /// Neither a host nor the hash of an app is set.
    #[error("host or appHash must be set")]
    Target,
    /// The host is not a domain name.
    #[error(
        "host must be a domain name, without scheme, port and path; write letters outside ASCII in Punycode"
    )]
    Host,
    /// The embedded host is not a domain name, or there is no host.
    #[error("embeddedHost must be a domain name, and requires host")]
    EmbeddedHost,
    /// The code is not one that phones recognize, or there is no host.
    #[error(
        "code must be \"{{code}}\", or 4 to 10 ASCII letters and digits of which at least one is a digit, and requires host"
    )]
    Code,
    /// The hash of the app does not have the form of one.
    #[error("appHash must be 11 characters of Base64")]
    AppHash,
    /// The message is too long for SMS Retriever.
    #[error("a message for an app must have at most {MAX_RETRIEVER_BYTES} bytes, got {0}")]
    Bytes(usize),
    /// The options are not a JSON object with documented members, each a string.
    #[error(
        "the options must be a JSON object of strings; documented options: host, embeddedHost, code, appHash"
    )]
    Options,
    /// The name is not that of an Android package.
    #[error(
        "the package must be the name of an Android app, such as com.example.shop: letters, digits and _ in at least two parts"
    )]
    Package,
    /// The certificate is not DER.
    #[error(
        "the certificate must be one X.509 certificate in DER, as `keytool -exportcert` writes it without -rfc"
    )]
    Certificate,
}

error_codes!(pub(crate) AutofillError, code, self: Self, "The stable code of the error, the same in every language.", {
    Self::Target => "text.autofill_target",
    Self::Host => "text.autofill_host",
    Self::EmbeddedHost => "text.autofill_embedded_host",
    Self::Code => "text.autofill_code",
    Self::AppHash => "text.autofill_app_hash",
    Self::Bytes(_) => "text.autofill_bytes",
    Self::Options => "text.options",
    Self::Package => "text.app_package",
    Self::Certificate => "text.app_certificate",
});

/// What a message fills in: builds its text with [`Autofill::body`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Autofill {
    host: Option<String>,
    embedded_host: Option<String>,
    code: Option<String>,
    app_hash: Option<String>,
}

impl Autofill {
    /// Nothing yet: set a host, the hash of an app, or both.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    optional_setters! {
        /// The host of the page that asks for the code, such as `shop.example`.
        host: String;
        /// The host of the frame in this page that asks for the code, if it is in a frame of another site.
        embedded_host: String;
        /// The code of a message that the program sends itself; the default is `{code}`, for the body of `otp.send`. It requires a host.
        code: String;
        /// The hash of an Android app, see [`app_hash`](crate::text::autofill).
        app_hash: String;
    }

    /// The text, followed by the line that fills the code in. White space at the end of the text is removed.
    ///
    /// # Errors
    /// [`AutofillError`]: a member is invalid, or the message is too long.
    pub fn body(&self, text: &str) -> Result<String, AutofillError> {
        let code = self.code.as_deref().unwrap_or(TOKEN);
        let mut line = Vec::new();
        if let Some(host) = &self.host {
            if !is_host(host) {
                return Err(AutofillError::Host);
            }
            if code != TOKEN && !is_code(code) {
                return Err(AutofillError::Code);
            }
            line.push(format!("@{} #{code}", host.to_ascii_lowercase()));
        }
        if let Some(host) = &self.embedded_host {
            if self.host.is_none() || !is_host(host) {
                return Err(AutofillError::EmbeddedHost);
            }
            line.push(format!("@{}", host.to_ascii_lowercase()));
        }
        if let Some(hash) = &self.app_hash {
            if !is_app_hash(hash) {
                return Err(AutofillError::AppHash);
            }
            line.push(hash.clone());
        }
        if line.is_empty() {
            return Err(AutofillError::Target);
        }
        // Only the line of a host contains the code.
        if self.host.is_none() && self.code.is_some() {
            return Err(AutofillError::Code);
        }
        let text = text.trim_end();
        let gap = if text.is_empty() { "" } else { "\n\n" };
        let body = format!("{text}{gap}{}", line.join(" "));
        if self.app_hash.is_some() && body.len() > MAX_RETRIEVER_BYTES {
            return Err(AutofillError::Bytes(body.len()));
        }
        Ok(body)
    }

    fn from_json(json: &str) -> Result<Self, AutofillError> {
        let Some(Value::Object(members)) = crate::json::tape_value::parse(json) else {
            return Err(AutofillError::Options);
        };
        let mut autofill = Self::new();
        for (name, value) in members {
            let value = match value {
                Value::Null => None,
                Value::String(text) => Some(text),
                _ => return Err(AutofillError::Options),
            };
            match name.as_str() {
                "host" => autofill.host = value,
                "embeddedHost" => autofill.embedded_host = value,
                "code" => autofill.code = value,
                "appHash" => autofill.app_hash = value,
                _ => return Err(AutofillError::Options),
            }
        }
        Ok(autofill)
    }
}

/// [`Autofill::body`] with its members as a JSON object: `{"host", "embeddedHost", "code", "appHash"}`.
///
/// # Errors
/// As [`Autofill::body`], and for options that are not such an object.
pub fn body_from_json(text: &str, options: &str) -> Result<String, AutofillError> {
    Autofill::from_json(options)?.body(text)
}

/// What a message fills in, and what prevents it, see [`check`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AutofillCheck {
    /// The host of the page into which the code fills itself.
    pub host: Option<String>,
    /// The host of the frame in this page.
    pub embedded_host: Option<String>,
    /// The code of the line `@host #code`; `{code}` in the body of `otp.send`.
    pub code: Option<String>,
    /// The hash of the Android app that receives the message.
    pub app_hash: Option<String>,
    /// Why it does not fill in, although it seems to be meant to. Their pointer is the root.
    pub problems: Vec<Problem>,
}

/// Reads what a message, or the body of `otp.send`, fills in: its last line by the rules of the WICG text, and the hash of an Android
/// app. A message that does not try to be one has no members and no problems.
///
/// The hash of an app is recognized after `<#>` or two zero-width spaces at the start, at the end of a line `@host #code`, and alone
/// in the last line. Alone, it must have `+`, `/`, or capitals, small letters and digits, because `AcmeSupport` is not a hash; about one
/// hash of ten has none of these and needs the mark `<#>`.
#[must_use]
pub fn check(message: &str) -> AutofillCheck {
    let mut problems = Problems::default();
    let found = report(message, &Pointer::ROOT, &mut problems);
    AutofillCheck {
        host: found.bound.as_ref().map(|bound| bound.host.to_owned()),
        embedded_host: found.bound.as_ref().and_then(|bound| bound.embedded_host).map(str::to_owned),
        code: found.bound.as_ref().map(|bound| bound.code.to_owned()),
        app_hash: found.app_hash.map(str::to_owned),
        problems: problems.into_vec(),
    }
}

/// [`check`] as JSON.
#[must_use]
pub fn check_json(message: &str) -> String {
    to_json(&check(message))
}

/// What a message fills in.
#[derive(Default)]
pub(crate) struct Found<'a> {
    bound: Option<Bound<'a>>,
    app_hash: Option<&'a str>,
}

impl Found<'_> {
    /// Whether the message tries to be one that fills in.
    pub(crate) const fn is_some(&self) -> bool {
        self.bound.is_some() || self.app_hash.is_some()
    }
}

/// The members of an origin-bound one-time code.
#[derive(Clone, Copy)]
struct Bound<'a> {
    host: &'a str,
    code: &'a str,
    embedded_host: Option<&'a str>,
}

/// Reads a message and reports what prevents that it fills in.
pub(crate) fn report<'a>(message: &'a str, at: &Pointer<'_>, problems: &mut Problems) -> Found<'a> {
    let start = message.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let last = message.get(start..).unwrap_or_default();
    let found = Found { bound: parse(last), app_hash: app_hash_of(message, last) };
    match &found.bound {
        Some(bound) => report_bound(message, bound, at, problems),
        None => report_attempt(message, last, at, problems),
    }
    if is_marked(message) && found.app_hash.is_none() {
        problems.add(&codes::OTP_BODY_AUTOFILL_APP_HASH, at);
    }
    if found.app_hash.is_some() && message.len() > MAX_RETRIEVER_BYTES {
        let problem = problems.report(&codes::OTP_BODY_AUTOFILL_BYTES, at);
        problem.limit(MAX_RETRIEVER_BYTES, message.len(), BYTES);
    }
    found
}

fn report_bound(message: &str, bound: &Bound<'_>, at: &Pointer<'_>, problems: &mut Problems) {
    if !is_host(bound.host) || !bound.embedded_host.is_none_or(is_host) {
        problems.add(&codes::OTP_BODY_AUTOFILL_HOST, at);
    }
    let is_valid = if contains(message, TOKEN) { bound.code == TOKEN } else { is_code(bound.code) };
    if !is_valid {
        problems.add(&codes::OTP_BODY_AUTOFILL_CODE, at);
    }
}

/// Reports a line that was meant to be `@host #code`.
fn report_attempt(message: &str, last: &str, at: &Pointer<'_>, problems: &mut Problems) {
    if is_attempt(last) {
        return problems.add(&codes::OTP_BODY_AUTOFILL_FORMAT, at);
    }
    let mut lines = message.split(['\n', '\r']);
    let Some(line) = lines.rfind(|line| is_attempt(line)) else { return };
    if parse(line).is_none() {
        return problems.add(&codes::OTP_BODY_AUTOFILL_FORMAT, at);
    }
    let text = message.trim_end();
    let is_last = text.ends_with(line.trim_end());
    let fix = is_last.then(|| Fix::replace(message, text.len(), message.len(), ""));
    problems.report(&codes::OTP_BODY_AUTOFILL_LAST_LINE, at).fix(fix);
}

/// Parses the last line of an origin-bound one-time code message (WICG, section 3.2).
fn parse(line: &str) -> Option<Bound<'_>> {
    let (host, rest) = marked_token(line, '@')?;
    let (code, rest) = marked_token(rest.strip_prefix(' ')?, '#')?;
    let embedded = rest.strip_prefix(' ').and_then(|rest| marked_token(rest, '@'));
    Some(Bound { host, code, embedded_host: embedded.map(|(host, _)| host) })
}

/// Extracts a token after a marker, up to ASCII white space.
fn marked_token(text: &str, marker: char) -> Option<(&str, &str)> {
    let text = text.strip_prefix(marker)?;
    let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(token, _)| !token.is_empty())
}

/// Whether a line has the signs of `@host #code`: a name after `@` that contains a full stop or a colon, and the code.
fn is_attempt(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let is_name = |word: &str| {
        let name = word.strip_prefix('@').unwrap_or_default().trim_end_matches('.');
        name.contains(['.', ':']) || name == "localhost"
    };
    let is_number = |word: &str| {
        contains(word, TOKEN) || word.starts_with('#') && word.bytes().any(|byte| byte.is_ascii_digit())
    };
    words.clone().any(is_name) && words.any(is_number)
}

/// The hash of an app at the end of a message.
fn app_hash_of<'a>(message: &str, last: &'a str) -> Option<&'a str> {
    let word = last.rsplit(|c: char| c.is_ascii_whitespace()).next().filter(|word| is_app_hash(word))?;
    let is_alone = word.len() == last.len() && !is_ordinary(word);
    let is_bound = parse(last).is_some() && !is_word(word);
    (is_marked(message) || is_alone || is_bound).then_some(word)
}

/// Whether a message begins with one of the marks that SMS Retriever required first.
fn is_marked(message: &str) -> bool {
    message.starts_with("<#>") || message.starts_with("\u{200B}\u{200B}")
}

/// Whether a text may be a word: letters of one case, or with one capital at the start.
fn is_word(text: &str) -> bool {
    let tail = text.get(1..).unwrap_or_default();
    let is_capital = text.bytes().all(|byte| byte.is_ascii_uppercase());
    is_capital
        || tail.bytes().all(|byte| byte.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a text in a line of its own may be a number, a word or a name, such as `02101234567` or `AcmeSupport`: it has neither `+`
/// nor `/`, and lacks capitals, small letters or digits.
fn is_ordinary(text: &str) -> bool {
    let has = |is_of_kind: fn(&u8) -> bool| text.as_bytes().iter().any(is_of_kind);
    let is_mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    !is_mixed && !text.contains(['+', '/'])
}

fn is_app_hash(text: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len() == APP_HASH_LENGTH && text.bytes().all(is_base64)
}

fn is_code(code: &str) -> bool {
    CODE_LENGTH.contains(&code.len())
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && code.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a text is a domain name that Chrome and Safari read in a message: labels of at most 63 letters, digits and hyphens (RFC 1123,
/// section 2.1), without a full stop at the end, and not an IP address.
fn is_host(host: &str) -> bool {
    let is_named = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && label.bytes().all(is_named)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let is_address = host.parse::<Ipv4Addr>().is_ok();
    !is_address && host.len() <= MAX_HOST && host.split('.').all(is_label) && url::is_host(host)
}

/// The hash by which SMS Retriever finds the app of a message: the first 11 characters of the Base64 of SHA-256 over the name of
/// the package, a space, and the certificate in hexadecimal digits. `certificate` is the certificate that signs the app, in DER; with
/// Play App Signing, the one that Google Play shows under "App signing".
///
/// # Errors
/// [`AutofillError::Package`] and [`AutofillError::Certificate`].
#[cfg(feature = "app-hash")]
pub fn app_hash(package: &str, certificate: &[u8]) -> Result<String, AutofillError> {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD_NO_PAD;
    use sha2::{Digest as _, Sha256};

    if !is_package(package) {
        return Err(AutofillError::Package);
    }
    if !is_der(certificate) {
        return Err(AutofillError::Certificate);
    }
    let digits = crate::util::hex::hex(certificate);
    let hash = Sha256::new().chain_update(package).chain_update(" ").chain_update(digits).finalize();
    let mut text = STANDARD_NO_PAD.encode(hash);
    text.truncate(APP_HASH_LENGTH);
    Ok(text)
}

/// Whether a text is the name of a package: at least two parts, each a letter followed by letters, digits and `_`.
#[cfg(feature = "app-hash")]
fn is_package(name: &str) -> bool {
    let is_part = |part: &str| {
        part.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.contains('.') && name.split('.').all(is_part)
}

/// Whether bytes are one DER sequence, as a certificate is: a tag, and a length that reaches exactly to the end.
#[cfg(feature = "app-hash")]
fn is_der(bytes: &[u8]) -> bool {
    match bytes {
        [0x30, length @ 1..=0x7F, rest @ ..] => rest.len() == usize::from(*length),
        [0x30, count @ 0x81..=0x84, rest @ ..] => {
            let count = usize::from(count & 0x7F);
            rest.split_at_checked(count).is_some_and(|(length, rest)| {
                length.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte)) == rest.len()
            })
        }
        _ => false,
    }
}
