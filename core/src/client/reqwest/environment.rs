//! Proxies: `proxy` of the configuration, else the environment's by the names and rules of curl.
//!
//! reqwest goes straight where it cannot read a proxy of the environment, and the key with it: so each is read here
//! first, and what cannot be used refuses the client.

use std::env::{self, VarError};

use reqwest::{NoProxy, Proxy, Url};

use crate::config::Config;
use crate::error::Error;
use crate::secret::Secret;

pub(crate) struct Proxies {
    pub(crate) list: Vec<Proxy>,
    /// Whether one is reached through TLS.
    pub(crate) tls: bool,
    /// Whether those of the system are asked for.
    pub(crate) system: bool,
}

pub(crate) fn proxies(config: &Config) -> Result<Proxies, Error> {
    if let Some(address) = config.proxy.as_ref().map(Secret::expose) {
        let url = read("`proxy`", address)?;
        let tls = url.scheme() == "https";
        return Ok(Proxies { list: vec![made("`proxy`", url, Proxy::all)?], tls, system: false });
    }
    from_environment()
}

fn from_environment() -> Result<Proxies, Error> {
    // Behind a web server, `HTTP_PROXY` is a header of the request that it serves.
    let http =
        if env::var_os("REQUEST_METHOD").is_some() { None } else { variable(["HTTP_PROXY", "http_proxy"])? };
    let https = variable(["HTTPS_PROXY", "https_proxy"])?;
    let all = variable(["ALL_PROXY", "all_proxy"])?;
    let except = variable(["NO_PROXY", "no_proxy"])?.and_then(|(_, list)| NoProxy::from_string(&list));
    let mut proxies =
        Proxies { list: Vec::new(), tls: false, system: http.is_none() && https.is_none() && all.is_none() };
    let mut add = |found: Option<(&str, String)>, make: fn(Url) -> reqwest::Result<Proxy>| {
        let Some((name, address)) = found else { return Ok(()) };
        let url = read(name, &address)?;
        proxies.tls |= url.scheme() == "https";
        proxies.list.push(made(name, url, make)?.no_proxy(except.clone()));
        Ok(())
    };
    add(http, Proxy::http)?;
    add(https, Proxy::https)?;
    add(all, Proxy::all)?;
    Ok(proxies)
}

/// The first of these that is set; an empty one is not, and one of blanks is no address.
fn variable(names: [&'static str; 2]) -> Result<Option<(&'static str, String)>, Error> {
    for name in names {
        match env::var(name) {
            Ok(text) if text.is_empty() => {}
            Ok(text) => return Ok(Some((name, text))),
            Err(VarError::NotPresent) => {}
            Err(VarError::NotUnicode(_)) => return Err(wrong(name)),
        }
    }
    Ok(None)
}

/// The URL of a proxy; without a scheme it is an HTTP proxy.
fn read(name: &str, address: &str) -> Result<Url, Error> {
    let address = address.trim();
    let url = match address.contains("://") {
        true => Url::parse(address),
        false => Url::parse(&format!("http://{address}")),
    };
    let url = url.map_err(|_| wrong(name))?;
    let is_socks = ["socks4", "socks4a", "socks5", "socks5h"].contains(&url.scheme());
    let known = ["http", "https"].contains(&url.scheme()) || (is_socks && cfg!(feature = "socks"));
    if known && url.has_host() { Ok(url) } else { Err(wrong(name)) }
}

fn made(name: &str, url: Url, make: fn(Url) -> reqwest::Result<Proxy>) -> Result<Proxy, Error> {
    make(url).map_err(|_| wrong(name))
}

fn wrong(name: &str) -> Error {
    let schemes = if cfg!(feature = "socks") { "http, https or socks5" } else { "http or https" };
    Error::config(format!("{name} is no URL of a proxy: scheme ({schemes}), host and port"))
}
