//! The URLs that a link accepts, and their normal form.

use super::byte_class::{ALPHA, DASH, DIGIT, DOT, SPACE, is};
use super::entity::EntityKind;

/// The entity of a link to `url`; `None` if the channel drops the link.
pub(super) fn resolve(url: &str) -> Option<EntityKind> {
    if let Some(user_id) = user_id(url) {
        return Some(EntityKind::MentionName { user_id });
    }
    check(url).map(|url| EntityKind::TextUrl { url })
}

pub(super) fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

/// The offset of the first of these bytes, or the end.
fn first(text: &str, of: &[u8]) -> usize {
    text.bytes().position(|byte| of.contains(&byte)).unwrap_or(text.len())
}

/// Splits at the first of these bytes, which is in neither part; if there is none, the second part is empty.
fn cut<'a>(text: &'a str, at: &[u8]) -> (&'a str, &'a str) {
    let (head, tail) = split(text, first(text, at));
    (head, split(tail, 1).1)
}

/// Splits at an offset; after the end the second part is empty.
pub(super) fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// The parameters of `tg:[//]host[/]?…`, without the fragment.
fn parameters<'a>(url: &'a str, host: &str) -> Option<&'a str> {
    let rest = strip(url, "tg:")?;
    let rest = strip(strip(rest, "//").unwrap_or(rest), host)?;
    let rest = strip(strip(rest, "/").unwrap_or(rest), "?")?;
    Some(cut(rest, b"#").0)
}

/// The next parameter with this name.
fn next<'a>(parameters: &mut &'a str, key: &str) -> Option<&'a str> {
    while !parameters.is_empty() {
        let (pair, rest) = cut(parameters, b"&");
        *parameters = rest;
        let (name, value) = cut(pair, b"=");
        if name == key {
            return Some(value);
        }
    }
    None
}

/// The first parameter `id`, if it is an integer in canonical form.
fn id(mut parameters: &str) -> Option<i64> {
    integer(next(&mut parameters, "id")?)
}

/// Parses an integer in canonical form.
pub(super) fn integer(text: &str) -> Option<i64> {
    let digits = strip(text, "-").unwrap_or(text);
    let is_canonical = (!digits.starts_with('0') || text == "0") && !text.starts_with('+');
    text.parse().ok().filter(|_| is_canonical)
}

fn user_id(url: &str) -> Option<i64> {
    strip(url, "tg:")?;
    let url = url.to_ascii_lowercase();
    id(parameters(&url, "user")?).filter(|id| (1..1 << 40).contains(id))
}

/// `tg://emoji?id=` and `tg://time?unix=`; if a parameter is repeated, the first counts for an emoji, the last for a
/// time.
pub(super) fn emoji_or_date(url: &str) -> Option<EntityKind> {
    if let Some(parameters) = parameters(url, "emoji") {
        return Some(EntityKind::CustomEmoji { emoji_id: id(parameters).filter(|&id| id != 0)? });
    }
    let parameters = parameters(url, "time")?;
    let (mut unix, mut rest) = (0, parameters);
    while let Some(text) = next(&mut rest, "unix") {
        unix = integer(text)?.try_into().ok().filter(|&unix| unix > 0)?;
    }
    let (mut format, mut rest) = ("", parameters);
    while let Some(text) = next(&mut rest, "format") {
        format = text;
    }
    let date_flags = date_flags(format)?;
    (unix > 0).then_some(EntityKind::FormattedDate { unix, date_flags })
}

/// The flags of a date format: `r` or `R` alone, or any of `tTdDwW`.
pub(super) fn date_flags(format: &str) -> Option<u8> {
    if strip(format, "r") == Some("") {
        return Some(1);
    }
    let mut flags = 0;
    for byte in format.bytes() {
        flags |= 2 << b"tTdDwW".iter().position(|&letter| letter == byte)?.min(4);
    }
    Some(flags)
}

/// Schemes with a plain host and no port.
const APPS: [&str; 3] = ["tg:", "ton:", "tonsite:"];

/// The normal form of a valid URL: with a scheme, a host in lower case, and a path.
fn check(url: &str) -> Option<String> {
    let app = APPS.into_iter().find(|app| strip(url, app).is_some());
    let (name, tail) = split(url, first(url, b":/?#@[]"));
    let (scheme, rest) = match (app, strip(tail, "://")) {
        (Some(app), _) => {
            let rest = split(url, app.len()).1;
            (app, strip(rest, "//").unwrap_or(rest))
        }
        (None, Some(rest)) if name.eq_ignore_ascii_case("https") => ("https:", rest),
        (None, Some(rest)) if name.eq_ignore_ascii_case("http") => ("http:", rest),
        (None, Some(_)) => return None,
        (None, None) => ("http:", url),
    };
    let (authority, tail) = split(rest, first(rest, b"/?#"));
    let last = authority.bytes().rposition(|byte| b":]@".contains(&byte));
    let colon = last.filter(|&at| at > 0 && authority.as_bytes().get(at) == Some(&b':'));
    let (name, colon_port) = split(authority, colon.unwrap_or(authority.len()));
    let (colon, port) = match strip(colon_port, ":") {
        Some(text) => (":", port(text)?),
        None => ("", ""),
    };
    let (userinfo, host) = name.rsplit_once('@').unwrap_or(("", name));
    let at = if userinfo.is_empty() { "" } else { "@" };
    if let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        ipv6(address)?;
    } else if matches!(host, "" | ".")
        || !allowed(host, HOST)
        || !allowed(userinfo, USERINFO)
        || !(app.is_some() || host.as_bytes().contains(&b'.'))
    {
        return None;
    }
    if app.is_some() {
        let plain = if scheme == "tonsite:" { ALPHA | DIGIT | DASH | DOT } else { ALPHA | DIGIT | DASH };
        let is_plain = host.bytes().all(|byte| is(byte, plain) || byte == b'_');
        if !is_plain || !at.is_empty() || !colon.is_empty() {
            return None;
        }
    }
    let host = host.to_ascii_lowercase();
    let mut address = format!("{scheme}//{userinfo}{at}{host}{colon}{port}").into_bytes();
    add_path(&mut address, tail, app.is_some());
    String::from_utf8(address).ok()
}

/// Validates a port and removes leading zeros.
fn port(mut text: &str) -> Option<&str> {
    while let Some(tail) = strip(text, "0") {
        text = tail;
    }
    integer(text).filter(|port| (1..=65_535).contains(port)).map(|_| text)
}

/// Adds a slash (except before the query of a link to an app), then path, query and fragment. White space at the end is removed;
/// other white space and control characters are percent-encoded.
fn add_path(address: &mut Vec<u8>, tail: &str, is_app: bool) {
    let bytes = strip(tail, "/").unwrap_or(tail).as_bytes();
    let end = bytes.iter().rposition(|&byte| !is(byte, SPACE)).map_or(0, |last| last + 1);
    let bytes = bytes.get(..end).unwrap_or_default();
    if !is_app || bytes.first() != Some(&b'?') {
        address.push(b'/');
    }
    for &byte in bytes {
        if byte > b' ' {
            address.push(byte);
        } else {
            let low = b"0123456789ABCDEF".get(usize::from(byte & 15)).copied().unwrap_or_default();
            address.extend_from_slice(&[b'%', b'0' + (byte >> 4), low]);
        }
    }
}

/// Characters that are valid in addition to letters, digits, `%XX` and characters outside ASCII.
const USERINFO: &[u8] = b":.-_!$,~*'();&+=";
const HOST: &[u8] = b".-_!$,~*'();&+=";

fn allowed(part: &str, also: &[u8]) -> bool {
    let mut rest = part.as_bytes();
    loop {
        rest = match rest {
            [] => return true,
            [b'%', high, low, tail @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => tail,
            [c, tail @ ..] if is(*c, ALPHA | DIGIT) || *c >= 0x80 || also.contains(c) => tail,
            _ => return false,
        };
    }
}

/// Validates an IPv6 address: eight groups; `::` replaces one or more, and a dotted IPv4 address the last two.
fn ipv6(text: &str) -> Option<()> {
    let (mut rest, mut gap) = text.strip_prefix("::").map_or((text, false), |tail| (tail, true));
    let mut groups = 0;
    while !rest.is_empty() {
        let length = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let tail = rest.get(length..)?;
        if tail.starts_with('.') {
            ipv4(rest)?;
            groups += 2;
            break;
        }
        groups += 1;
        rest = match tail.strip_prefix("::") {
            Some(tail) if !gap => {
                gap = true;
                tail
            }
            _ if tail.is_empty() => tail,
            _ => tail.strip_prefix(':').filter(|tail| !tail.is_empty())?,
        };
        if !(1..=4).contains(&length) {
            return None;
        }
    }
    (if gap { groups < 8 } else { groups == 8 }).then_some(())
}

/// Validates an IPv4 address: four numbers up to 255 without leading zeros.
fn ipv4(mut text: &str) -> Option<()> {
    for left in (0..4).rev() {
        let end = first(text, b".");
        let (part, rest) = split(text, end);
        integer(part).filter(|number| (0..256).contains(number))?;
        if rest.is_empty() != (left == 0) {
            return None;
        }
        text = split(rest, 1).1;
    }
    Some(())
}
