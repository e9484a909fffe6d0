//! The proxies: `proxy` of the configuration, else those of the environment variables that curl uses (the upper-case name
//! first).
//!
//! reqwest ignores a proxy of the environment that it cannot parse, and would send the key without a proxy. So every proxy that a client
//! would use is parsed here first, and an unusable proxy is an error.
//!
//! As in Go, the proxies of the environment are not used for the loopback interface, where a sandbox runs. A variable that cannot be used
//! is no error if no address of the client needs it: desktops set `ALL_PROXY=socks://…` for all programs.

use std::env;
use std::ffi::OsString;

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
        if env::var_os("REQUEST_METHOD").is_some() { None } else { variable(["HTTP_PROXY", "http_proxy"]) };
    let https = variable(["HTTPS_PROXY", "https_proxy"]);
    let all = variable(["ALL_PROXY", "all_proxy"]);
    let no_proxy = match variable(["NO_PROXY", "no_proxy"]) {
        Some((name, list)) => format!("{LOOPBACK},{}", text(name, &list)?),
        None => LOOPBACK.to_owned(),
    };
    let except = NoProxy::from_string(&no_proxy);
    let mut proxies =
        Proxies { list: Vec::new(), tls: false, system: http.is_none() && https.is_none() && all.is_none() };
    let name = |own: &Option<(&'static str, OsString)>| {
        own.as_ref().or(all.as_ref()).map_or("the settings of the system", |(name, _)| *name)
    };
    let (http_name, https_name) = (name(&http), name(&https));
    // A transport that is created without addresses may be used for any.
    let needs = |scheme: &str| {
        origins.is_empty()
            || origins.iter().any(|origin| origin.starts_with(scheme) && needs_proxy(origin, &no_proxy))
    };
    let (needs_http, needs_https) = (needs("http:"), needs("https:"));
    let needs_all = needs_http && http.is_none() || needs_https && https.is_none();
    let mut add = |is_needed: bool,
                   variable: Option<(&'static str, OsString)>,
                   make: fn(Url) -> reqwest::Result<Proxy>| {
        let Some((name, address)) = variable else { return Ok(String::new()) };
        let url = match text(name, &address).and_then(|address| parse(name, address)) {
            Ok(url) => url,
            Err(error) if is_needed => return Err(error),
            Err(_) => return Ok(String::new()),
        };
        proxies.tls |= url.scheme() == "https";
        let address = without_credentials(&url);
        proxies.list.push(build(name, url, make)?.no_proxy(except.clone()));
        Ok(address)
    };
    let http = add(needs_http, http, Proxy::http)?;
    let https = add(needs_https, https, Proxy::https)?;
    let all = add(needs_all, all, Proxy::all)?;
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
fn variable(names: [&'static str; 2]) -> Option<(&'static str, OsString)> {
    names.into_iter().find_map(|name| Some((name, env::var_os(name).filter(|text| !text.is_empty())?)))
}

/// The text of a variable.
fn text<'a>(name: &str, value: &'a OsString) -> Result<&'a str, Error> {
    value.to_str().ok_or_else(|| Error::config(format!("{name} must be valid UTF-8")))
}

const HAS_SOCKS: bool = cfg!(feature = "socks");

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
    let scheme = address.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_socks = |scheme: &str| scheme == "socks" || SOCKS.contains(&scheme);
    let url = match scheme.as_deref() {
        Some(scheme) if is_socks(scheme) && !HAS_SOCKS => {
            let advice = "this build has no SOCKS (feature `socks` of the Rust crate): use an HTTP proxy";
            return Err(Error::config(format!("{name} is a SOCKS proxy, and {advice}")));
        }
        // Programs read it as version 4 or as version 5.
        Some("socks") => {
            let advice = "write socks5:// or socks4:// in place of socks://";
            return Err(Error::config(format!("{name} must name the version of SOCKS: {advice}")));
        }
        Some(_) => Url::parse(address),
        None => Url::parse(&format!("http://{address}")),
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
