//! Which addresses a link takes, and how they are written.

use super::entity::EntityKind;

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

/// The parameters of `tg:[//]host[/]?…`, without the fragment.
fn parameters<'a>(url: &'a str, host: &str) -> Option<&'a str> {
    let rest = strip(url, "tg:")?;
    let rest = strip(rest.strip_prefix("//").unwrap_or(rest), host)?;
    let rest = rest.strip_prefix('/').unwrap_or(rest).strip_prefix('?')?;
    rest.split('#').next()
}

fn values<'a>(parameters: &'a str, key: &'static str) -> impl Iterator<Item = &'a str> {
    parameters.split('&').filter_map(move |pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name == key).then_some(value)
    })
}

/// An integer in its one canonical spelling.
pub(super) fn integer(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let canonical = !text.starts_with('+')
        && (digits == "0") <= (text == "0")
        && (digits == "0" || !digits.starts_with('0'));
    canonical.then_some(number)
}

fn user_id(url: &str) -> Option<i64> {
    strip(url, "tg:")?;
    let url = url.to_ascii_lowercase();
    let id = integer(values(parameters(&url, "user")?, "id").next()?)?;
    (1..1 << 40).contains(&id).then_some(id)
}

/// `tg://emoji?id=` and `tg://time?unix=`; of repeated parameters the first counts for an emoji, the last for a date.
pub(super) fn emoji_or_date(url: &str) -> Option<EntityKind> {
    if let Some(parameters) = parameters(url, "emoji") {
        let emoji_id = integer(values(parameters, "id").next()?).filter(|&id| id != 0)?;
        return Some(EntityKind::CustomEmoji { emoji_id });
    }
    let parameters = parameters(url, "time")?;
    let moment = |text| i32::try_from(integer(text)?).ok().filter(|&unix| unix > 0);
    let unix = values(parameters, "unix").try_fold(0, |_, text| moment(text)).filter(|&unix| unix > 0)?;
    let date_flags = date_flags(values(parameters, "format").last().unwrap_or_default())?;
    Some(EntityKind::FormattedDate { unix, date_flags })
}

/// The flags of a date format: `r` or `R` alone, or any of `tTdDwW`.
pub(super) fn date_flags(format: &str) -> Option<u8> {
    if matches!(format, "r" | "R") {
        return Some(1);
    }
    format.bytes().try_fold(0, |flags, byte| {
        Some(
            flags
                | match byte {
                    b't' => 2,
                    b'T' => 4,
                    b'd' => 8,
                    b'D' => 16,
                    b'w' | b'W' => 32,
                    _ => return None,
                },
        )
    })
}

/// The address as it is sent, if it is one that may be.
fn check(url: &str) -> Option<String> {
    for scheme in ["tg:", "ton:", "tonsite:"] {
        if let Some(rest) = strip(url, scheme) {
            return check_app(scheme, rest.strip_prefix("//").unwrap_or(rest));
        }
    }
    let parts = Parts::read(url)?;
    if !parts.host.contains('.') && !parts.is_ipv6 {
        return None;
    }
    let scheme = if parts.is_https { "https" } else { "http" };
    let at = if parts.userinfo.is_empty() { "" } else { "@" };
    let port = parts.port.map_or_else(String::new, |port| format!(":{port}"));
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
        let end = url.find([':', '/', '?', '#', '@', '[', ']']).unwrap_or(url.len());
        let (scheme, rest) = match url.split_at_checked(end)? {
            (scheme, tail) if tail.starts_with("://") => (Some(scheme), tail.get(3..)?),
            _ => (None, url),
        };
        let is_https = match scheme {
            None => false,
            Some(scheme) if scheme.eq_ignore_ascii_case("http") => false,
            Some(scheme) if scheme.eq_ignore_ascii_case("https") => true,
            Some(_) => return None,
        };
        let (authority, tail) = rest.split_at_checked(rest.find(['/', '?', '#']).unwrap_or(rest.len()))?;
        let (name, port) = match authority.rfind([':', ']', '@']) {
            Some(at) if at > 0 && authority.as_bytes().get(at) == Some(&b':') => {
                (authority.get(..at)?, Some(read_port(authority.get(at + 1..)?)?))
            }
            _ => (authority, None),
        };
        let (userinfo, host) = name.rsplit_once('@').unwrap_or(("", name));
        let is_ipv6 = host.starts_with('[') && host.ends_with(']');
        if is_ipv6 {
            ipv6(host.get(1..host.len() - 1)?)?;
        } else if matches!(host, "" | ".") || !allowed(host, false) || !allowed(userinfo, true) {
            return None;
        }
        let has_scheme = scheme.is_some();
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
    let digits = text.trim_start_matches('0');
    let plain = digits.bytes().all(|c| c.is_ascii_digit());
    plain.then(|| digits.parse().ok())?
}

/// Path, query and fragment: a slash in front, no white space at the end, none and no control inside.
fn path(tail: &str) -> String {
    let tail = tail.trim_end_matches(|c: char| c.is_ascii() && super::output::is_space(c as u8));
    let mut path = String::with_capacity(tail.len() + 1);
    if !tail.starts_with('/') {
        path.push('/');
    }
    for c in tail.chars() {
        if c <= ' ' {
            path.push_str(&format!("%{:02X}", c as u32));
        } else {
            path.push(c);
        }
    }
    path
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
fn ipv4(text: &str) -> Option<()> {
    let mut count = 0;
    for part in text.split('.') {
        integer(part).filter(|number| (0..256).contains(number))?;
        count += 1;
    }
    (count == 4).then_some(())
}
