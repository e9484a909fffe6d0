//! Which addresses a link takes, and how they are written.

use super::class::{SPACE, is};
use super::entity::EntityKind;
use crate::digits::{Digits as _, whole};

/// What a link to `url` becomes; `None` where the link is dropped.
pub(super) fn resolve(url: &str) -> Option<EntityKind> {
    if let Some(user_id) = user_id(url) {
        return Some(EntityKind::MentionName { user_id });
    }
    check(url).map(|url| EntityKind::TextUrl { url })
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

/// Where the first of these bytes stands, or the end.
fn first(text: &str, of: &[u8]) -> usize {
    text.bytes().position(|byte| of.contains(&byte)).unwrap_or(text.len())
}

/// Both sides of the first of these bytes, which belongs to neither; no byte, no tail.
fn cut<'a>(text: &'a str, at: &[u8]) -> (&'a str, &'a str) {
    let (head, tail) = split(text, first(text, at));
    (head, split(tail, 1).1)
}

/// Both sides of a place; behind the end there is nothing.
fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// The parameters of `tg:[//]host[/]?…`, without the fragment.
fn parameters<'a>(url: &'a str, host: &str) -> Option<&'a str> {
    let rest = strip(url, "tg:")?;
    let rest = strip(strip(rest, "//").unwrap_or(rest), host)?;
    let rest = strip(strip(rest, "/").unwrap_or(rest), "?")?;
    Some(cut(rest, b"#").0)
}

/// Calls `found` with each value of that name.
fn values<'a>(mut parameters: &'a str, key: &str, found: &mut dyn FnMut(&'a str)) {
    while !parameters.is_empty() {
        let (pair, rest) = cut(parameters, b"&");
        let (name, value) = cut(pair, b"=");
        if name == key {
            found(value);
        }
        parameters = rest;
    }
}

/// The first number of that name, written in the one way.
fn id(parameters: &str) -> Option<i64> {
    let mut id = None;
    values(parameters, "id", &mut |value| _ = id.get_or_insert(value));
    integer(id?)
}

/// An integer in its one canonical spelling.
pub(super) fn integer(text: &str) -> Option<i64> {
    let digits = strip(text, "-").unwrap_or(text);
    let is_canonical = (!digits.starts_with('0') || text == "0") && !text.starts_with('+');
    whole(text).filter(|_| is_canonical)
}

fn user_id(url: &str) -> Option<i64> {
    strip(url, "tg:")?;
    let url = url.to_ascii_lowercase();
    id(parameters(&url, "user")?).filter(|id| (1..1 << 40).contains(id))
}

/// `tg://emoji?id=` and `tg://time?unix=`; of repeated parameters the first counts for an emoji, the last for a date.
pub(super) fn emoji_or_date(url: &str) -> Option<EntityKind> {
    if let Some(parameters) = parameters(url, "emoji") {
        return Some(EntityKind::CustomEmoji { emoji_id: id(parameters).filter(|&id| id != 0)? });
    }
    let parameters = parameters(url, "time")?;
    let mut unix = Some(0);
    values(parameters, "unix", &mut |text| {
        unix = unix.and_then(|_| i32::try_from(integer(text)?).ok()).filter(|&unix| unix > 0);
    });
    let mut format = "";
    values(parameters, "format", &mut |text| format = text);
    let date_flags = date_flags(format)?;
    Some(EntityKind::FormattedDate { unix: unix.filter(|&unix| unix > 0)?, date_flags })
}

/// The flags of a date format: `r` or `R` alone, or any of `tTdDwW`.
pub(super) fn date_flags(format: &str) -> Option<u8> {
    if strip(format, "r") == Some("") {
        return Some(1);
    }
    let letters = [(b't', 2), (b'T', 4), (b'd', 8), (b'D', 16), (b'w', 32), (b'W', 32)];
    let flag = |byte: u8| letters.iter().find(|(letter, _)| *letter == byte).map(|(_, flag)| flag);
    format.bytes().try_fold(0, |flags, byte| Some(flags | flag(byte)?))
}

/// The address as it is sent, if it is one that may be.
fn check(url: &str) -> Option<String> {
    for scheme in ["tg:", "ton:", "tonsite:"] {
        if let Some(rest) = strip(url, scheme) {
            return check_app(scheme, strip(rest, "//").unwrap_or(rest));
        }
    }
    let parts = Parts::read(url)?;
    if !parts.host.as_bytes().contains(&b'.') && !parts.is_ipv6 {
        return None;
    }
    let scheme = if parts.is_https { "https" } else { "http" };
    let at = if parts.userinfo.is_empty() { "" } else { "@" };
    let port = parts.port.map_or_else(String::new, |port| [":", &u32::from(port).digits()].concat());
    Some([scheme, "://", parts.userinfo, at, &parts.host, &port, &parts.path].concat())
}

/// `tg:`, `ton:` and `tonsite:` have a plain host and no port.
fn check_app(scheme: &str, rest: &str) -> Option<String> {
    let parts = Parts::read(rest)?;
    let dot = scheme == "tonsite:";
    let plain = parts
        .host
        .bytes()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_') || (dot && c == b'.'));
    let bare = parts.userinfo.is_empty() && parts.port.is_none() && !parts.has_scheme;
    let path = if parts.path.starts_with("/?") { parts.path.get(1..)? } else { &parts.path };
    (plain && bare).then(|| [scheme, "//", &parts.host, path].concat())
}

struct Parts<'a> {
    has_scheme: bool,
    is_https: bool,
    userinfo: &'a str,
    host: String,
    is_ipv6: bool,
    port: Option<u16>,
    path: String,
}

impl<'a> Parts<'a> {
    fn read(url: &'a str) -> Option<Self> {
        let (scheme, tail) = split(url, first(url, b":/?#@[]"));
        let (scheme, rest) = strip(tail, "://").map_or(("", url), |rest| (scheme, rest));
        let has_scheme = rest.len() < url.len();
        let is_https = scheme.eq_ignore_ascii_case("https");
        if has_scheme && !is_https && !scheme.eq_ignore_ascii_case("http") {
            return None;
        }
        let (authority, tail) = split(rest, first(rest, b"/?#"));
        let bytes = authority.as_bytes();
        let last = bytes.iter().rposition(|byte| b":]@".contains(byte));
        let colon = last.filter(|&at| at > 0 && bytes.get(at) == Some(&b':'));
        let (name, port) = split(authority, colon.unwrap_or(authority.len()));
        let port = match strip(port, ":") {
            Some(port) => Some(read_port(port)?),
            None => None,
        };
        let at = name.bytes().rposition(|byte| byte == b'@');
        let (userinfo, host) = at.map_or(("", name), |at| (split(name, at).0, split(name, at + 1).1));
        let is_ipv6 = host.starts_with('[') && host.ends_with(']');
        if is_ipv6 {
            ipv6(host.get(1..host.len() - 1)?)?;
        } else if matches!(host, "" | ".") || !allowed(host, false) || !allowed(userinfo, true) {
            return None;
        }
        Some(Self {
            has_scheme,
            is_https,
            userinfo,
            host: host.to_ascii_lowercase(),
            is_ipv6,
            port,
            path: path(tail),
        })
    }
}

fn read_port(text: &str) -> Option<u16> {
    let zeros = text.bytes().take_while(|&byte| byte == b'0').count();
    integer(split(text, zeros).1).and_then(|port| port.try_into().ok())
}

/// Path, query and fragment: a slash in front, no white space at the end, none and no control inside.
fn path(tail: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let bytes = tail.as_bytes();
    let end = bytes.iter().rposition(|&byte| !is(byte, SPACE)).map_or(0, |last| last + 1);
    let mut path = Vec::with_capacity(tail.len() + 1);
    if bytes.iter().take(end).next() != Some(&b'/') {
        path.push(b'/');
    }
    for &byte in bytes.iter().take(end) {
        if byte > b' ' {
            path.push(byte);
        } else {
            let low = HEX.get(usize::from(byte & 15)).copied().unwrap_or_default();
            path.extend_from_slice(&[b'%', b'0' + (byte >> 4), low]);
        }
    }
    String::from_utf8(path).unwrap_or_default()
}

fn allowed(part: &str, colon: bool) -> bool {
    let mut bytes = part.bytes();
    while let Some(c) = bytes.next() {
        let fine = match c {
            b'%' => [bytes.next(), bytes.next()].iter().all(|c| c.is_some_and(|c| c.is_ascii_hexdigit())),
            b':' => colon,
            0x80.. => true,
            _ => c.is_ascii_alphanumeric() || b".-_!$,~*'();&+=".contains(&c),
        };
        if !fine {
            return false;
        }
    }
    true
}

/// Accepts an IPv6 address: eight groups, of which `::` stands for one or more and a dotted IPv4 address for the last two.
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

/// Four numbers up to 255 without leading zeros.
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
