//! The proxies: `proxy` of the configuration, else those of the environment variables that curl uses (the upper-case name
//! first).
//!
//! reqwest ignores a proxy of the environment that it cannot parse, and would send the key without a proxy. So every proxy is
//! parsed here first, and an unusable proxy is an error.
//!
//! As in Go, the proxies of the environment are not used for the loopback interface, where a sandbox runs. So a SOCKS proxy there is no
//! error for a client whose addresses need no proxy, in a build without `socks`.

use std::env::{self, VarError};

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::{NoProxy, Proxy, Url};

use crate::config::Config;
use crate::error::Error;
use crate::secret::Secret;

/// The hosts that no proxy of the environment is used for: a proxy elsewhere would reach its own loopback interface.
const LOOPBACK: &str = "localhost,127.0.0.0/8,::1";

pub(crate) struct Proxies {
    pub(crate) list: Vec<Proxy>,
    /// Whether a proxy in the list is reached over TLS.
    pub(crate) tls: bool,
    /// Whether reqwest may use the proxies of the system.
    pub(crate) system: bool,
}

/// Finds the proxy of a URL in the same way as reqwest, and the setting or the environment variable that names it.
pub(crate) struct ProxyMatcher {
    matcher: Matcher,
    http: &'static str,
    https: &'static str,
}

impl ProxyMatcher {
    /// Whether the proxy of a URL is reached over HTTP, and what names it. `None` without a proxy.
    pub(crate) fn find(&self, url: &http::Uri) -> Option<(bool, &'static str)> {
        let proxy = self.matcher.intercept(url)?;
        let is_http = proxy.uri().scheme_str().is_some_and(|scheme| scheme.starts_with("http"));
        Some((is_http, if url.scheme_str() == Some("https") { self.https } else { self.http }))
    }
}

/// The proxies of a client with these origins, and what finds the proxy of a URL.
pub(crate) fn proxies(config: &Config, origins: &[String]) -> Result<(Proxies, ProxyMatcher), Error> {
    if let Some(address) = config.proxy.as_ref().map(Secret::expose) {
        let url = parse("`proxy`", address)?;
        let matcher = Matcher::builder().all(without_credentials(&url)).build();
        let tls = url.scheme() == "https";
        let proxies = Proxies { list: vec![build("`proxy`", url, Proxy::all)?], tls, system: false };
        return Ok((proxies, ProxyMatcher { matcher, http: "`proxy`", https: "`proxy`" }));
    }
    from_environment(origins)
}

fn from_environment(origins: &[String]) -> Result<(Proxies, ProxyMatcher), Error> {
    // In a CGI program, `HTTP_PROXY` is the header `Proxy` of the incoming request.
    let http =
        if env::var_os("REQUEST_METHOD").is_some() { None } else { variable(["HTTP_PROXY", "http_proxy"])? };
    let https = variable(["HTTPS_PROXY", "https_proxy"])?;
    let all = variable(["ALL_PROXY", "all_proxy"])?;
    let no_proxy = match variable(["NO_PROXY", "no_proxy"])? {
        Some((_, list)) => format!("{LOOPBACK},{list}"),
        None => LOOPBACK.to_owned(),
    };
    let except = NoProxy::from_string(&no_proxy);
    let mut proxies =
        Proxies { list: Vec::new(), tls: false, system: http.is_none() && https.is_none() && all.is_none() };
    let name = |own: &Option<(&'static str, String)>| {
        own.as_ref().or(all.as_ref()).map_or("the settings of the system", |(name, _)| *name)
    };
    let (http_name, https_name) = (name(&http), name(&https));
    let mut add = |variable: Option<(&str, String)>, make: fn(Url) -> reqwest::Result<Proxy>| {
        let Some((name, address)) = variable else { return Ok(String::new()) };
        if is_unusable_socks(&address) && !origins.iter().any(|origin| needs_proxy(origin, &no_proxy)) {
            return Ok(String::new());
        }
        let url = parse(name, &address)?;
        proxies.tls |= url.scheme() == "https";
        let address = without_credentials(&url);
        proxies.list.push(build(name, url, make)?.no_proxy(except.clone()));
        Ok(address)
    };
    let (http, https, all) = (add(http, Proxy::http)?, add(https, Proxy::https)?, add(all, Proxy::all)?);
    let matcher = if proxies.system {
        Matcher::from_system()
    } else {
        Matcher::builder().http(http).https(https).all(all).no(no_proxy.as_str()).build()
    };
    Ok((proxies, ProxyMatcher { matcher, http: http_name, https: https_name }))
}

fn without_credentials(url: &Url) -> String {
    let mut url = url.clone();
    let _ = (url.set_username(""), url.set_password(None));
    url.into()
}

/// The first of these variables that is set and not empty.
fn variable(names: [&'static str; 2]) -> Result<Option<(&'static str, String)>, Error> {
    for name in names {
        match env::var(name) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => return Ok(Some((name, text))),
            Err(VarError::NotPresent) => {}
            Err(VarError::NotUnicode(_)) => return Err(invalid(name)),
        }
    }
    Ok(None)
}

const HAS_SOCKS: bool = cfg!(feature = "socks");

/// Whether the URL of a proxy is one of SOCKS, and this build has no SOCKS.
fn is_unusable_socks(address: &str) -> bool {
    let scheme = address.trim().split_once("://").map_or("", |(scheme, _)| scheme);
    !HAS_SOCKS && SOCKS.iter().any(|socks| scheme.eq_ignore_ascii_case(socks))
}

/// Whether `NO_PROXY` lets a client use a proxy for this origin.
fn needs_proxy(origin: &str, no_proxy: &str) -> bool {
    // Only whether there is a proxy matters, and not which.
    let any = Matcher::builder().all("http://proxy.invalid").no(no_proxy).build();
    origin.parse().map_or(true, |origin| any.intercept(&origin).is_some())
}

const SOCKS: [&str; 4] = ["socks4", "socks4a", "socks5", "socks5h"];

/// The URL of a proxy; the default scheme is `http`.
fn parse(name: &str, address: &str) -> Result<Url, Error> {
    let address = address.trim();
    if is_unusable_socks(address) {
        let advice = "this build has no SOCKS (feature `socks` of the Rust crate): use an HTTP proxy";
        return Err(Error::config(format!("{name} is a SOCKS proxy, and {advice}")));
    }
    let url = match address.contains("://") {
        true => Url::parse(address),
        false => Url::parse(&format!("http://{address}")),
    };
    let url = url.map_err(|_| invalid(name))?;
    let known = ["http", "https"].contains(&url.scheme()) || SOCKS.contains(&url.scheme());
    if known && url.has_host() { Ok(url) } else { Err(invalid(name)) }
}

fn build(name: &str, url: Url, make: fn(Url) -> reqwest::Result<Proxy>) -> Result<Proxy, Error> {
    make(url).map_err(|_| invalid(name))
}

fn invalid(name: &str) -> Error {
    let schemes = if HAS_SOCKS { "http, https or socks5" } else { "http or https" };
    Error::config(format!("{name} must be the URL of a proxy: scheme ({schemes}), host and port"))
}
