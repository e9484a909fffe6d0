//! Which way a request goes: straight, or through a proxy.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::environment::{Except, Variables};
use super::target::{self, Target};
use crate::error::Error;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way<'a> {
    Direct,
    Proxy(&'a Proxy),
    /// Through a proxy of a kind that is not spoken here.
    Closed,
}

/// A proxy. No `Debug`: it may hold a password.
#[derive(Clone, PartialEq)]
pub(crate) struct Proxy {
    pub(crate) tls: bool,
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The value of the header `proxy-authorization`.
    pub(crate) authorization: Option<String>,
}

/// The ways of a client.
pub(crate) struct Ways {
    http: Choice,
    https: Choice,
    except: Except,
}

#[derive(Clone)]
enum Choice {
    Direct,
    Proxy(Proxy),
    Closed,
}

impl Ways {
    /// One proxy for everything.
    pub(crate) fn all(address: &str) -> Result<Self, Error> {
        match Choice::read(address) {
            Choice::Proxy(proxy) => {
                let choice = Choice::Proxy(proxy);
                Ok(Self { http: choice.clone(), https: choice, except: Except::default() })
            }
            _ => Err(Error::config("`proxy` is no URL of a proxy: http://host:port or https://host:port")),
        }
    }

    /// As the environment says.
    pub(crate) fn from_environment() -> Self {
        Self::of(&Variables::read())
    }

    fn of(variables: &Variables) -> Self {
        let choose = |address: &str| match Choice::read(address) {
            Choice::Direct => Choice::read(&variables.all),
            choice => choice,
        };
        let except = Except::read(&variables.no);
        Self { http: choose(&variables.http), https: choose(&variables.https), except }
    }

    pub(crate) fn to(&self, target: &Target<'_>) -> Way<'_> {
        let way = match if target.tls { &self.https } else { &self.http } {
            Choice::Direct => return Way::Direct,
            Choice::Proxy(proxy) => Way::Proxy(proxy),
            Choice::Closed => Way::Closed,
        };
        match target.place() {
            Some((host, _)) if self.except.contains(host) => Way::Direct,
            _ => way,
        }
    }

    /// Whether a proxy is reached through TLS.
    pub(crate) fn need_tls(&self) -> bool {
        [&self.http, &self.https]
            .iter()
            .any(|choice| matches!(choice, Choice::Proxy(Proxy { tls: true, .. })))
    }
}

impl Choice {
    /// Without a scheme it is an HTTP proxy; what is no address is none.
    fn read(address: &str) -> Self {
        let (scheme, rest) = address.split_once("://").unwrap_or(("http", address));
        let tls = scheme.eq_ignore_ascii_case("https");
        if !tls && !scheme.eq_ignore_ascii_case("http") {
            return Self::Closed;
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, place) = match authority.rsplit_once('@') {
            Some((user, place)) => (Some(user), place),
            None => (None, authority),
        };
        let Some((host, port)) = target::place(place, if tls { 443 } else { 80 }) else {
            return Self::Direct;
        };
        Self::Proxy(Proxy { tls, host: host.to_owned(), port, authorization: user.map(basic) })
    }
}

fn basic(user: &str) -> String {
    let (name, password) = user.split_once(':').unwrap_or((user, ""));
    let pair = [decoded(name).as_slice(), b":", &decoded(password)].concat();
    format!("Basic {}", STANDARD.encode(pair))
}

fn decoded(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = after.get(..2).filter(|_| *first == b'%').and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = pair
            .filter(|pair| pair.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        out.push(byte.unwrap_or(*first));
        rest = after.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(variables: &Variables, url: &str) -> String {
        match Ways::of(variables).to(&Target::read(url).unwrap()) {
            Way::Direct => "direct".to_owned(),
            Way::Proxy(proxy) => {
                format!("{} {}:{}", if proxy.tls { "tls" } else { "tcp" }, proxy.host, proxy.port)
            }
            Way::Closed => "closed".to_owned(),
        }
    }

    fn variables(http: &str, https: &str, all: &str, no: &str) -> Variables {
        let own = str::to_owned;
        Variables { http: own(http), https: own(https), all: own(all), no: own(no) }
    }

    #[test]
    fn each_scheme_has_its_variable_and_all_stands_in() {
        let of = |http, https, all, url| way(&variables(http, https, all, ""), url);
        assert_eq!(of("", "", "", "http://a/"), "direct");
        assert_eq!(of("p:1", "", "", "http://a/"), "tcp p:1");
        assert_eq!(of("p:1", "", "", "https://a/"), "direct");
        assert_eq!(of("p:1", "https://q", "", "https://a/"), "tls q:443");
        assert_eq!(of("", "https://q", "http://r/x", "http://a/"), "tcp r:80");
        assert_eq!(of("", "socks5://q", "http://r", "https://a/"), "closed");
    }

    #[test]
    fn what_is_excepted_goes_straight() {
        let of = |url| way(&variables("p:1", "p:1", "", "b.example, 10.0.0.0/8"), url);
        assert_eq!(of("https://a.b.example/"), "direct");
        assert_eq!(of("http://10.2.3.4:81/"), "direct");
        assert_eq!(of("http://11.2.3.4:81/"), "tcp p:1");
    }

    #[test]
    fn one_proxy_for_everything() {
        for wrong in ["::", "", "socks5://p", "ftp://p", "http://", "http://p:x"] {
            assert!(Ways::all(wrong).is_err(), "{wrong}");
        }
        let ways = Ways::all("HTTPS://p").unwrap_or_else(|_| panic!());
        assert!(ways.need_tls());
        assert!(!Ways::all("u:p@p").unwrap_or_else(|_| panic!()).need_tls());
    }

    #[test]
    fn passwords_are_decoded() {
        assert_eq!(decoded("a%40%4g%"), b"a@%4g%");
        assert_eq!(basic("u"), "Basic dTo=");
    }
}
