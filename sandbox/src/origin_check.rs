//! Checks the `Host` and the `Origin` of requests: the host names that the sandbox serves, and the pages that may use the control API.
//!
//! A page of any site can send requests to a port of this machine. If its DNS name resolves to this machine (rebinding), the
//! browser also lets it read the responses. The `Host` check rejects such names; the `Origin` check rejects changes through
//! the control API.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderName, ORIGIN};
use hyper::{HeaderMap, Method, Uri};

use crate::options::{Options, host_name};
use crate::provider_error::{ProviderError, ProviderResult};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The two ends of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) peer: SocketAddr,
    /// The address of this machine that the peer called.
    pub(crate) local: Option<SocketAddr>,
}

/// Rejects a request for another host with 421.
///
/// # Errors
/// When `Host`, or the authority of an absolute request target, is not loopback, not an address of the sandbox and not
/// listed; or when `Host` is repeated, or missing in a request from another machine.
pub(crate) fn admit(options: &Options, ends: Ends, uri: &Uri, headers: &HeaderMap) -> ProviderResult<()> {
    let target = uri.authority().map(|authority| Some(authority.as_str()));
    let mut hosts = headers.get_all(HOST).iter().map(|value| value.to_str().ok());
    let given = hosts.next();
    let named: Vec<Option<&str>> = [target, given].into_iter().flatten().collect();
    // Browsers always send `Host`; a loopback request without it comes from a program of this machine.
    let unnamed = named.is_empty() && is_loopback(ends.peer.ip()) && !headers.contains_key(ORIGIN);
    let fits = |host: &Option<&str>| host.is_some_and(|host| is_allowed(options, ends, host));
    if unnamed || hosts.next().is_none() && !named.is_empty() && named.iter().all(fits) {
        return Ok(());
    }
    let text = "`Host` must be a loopback name or address, or a name listed with --allow-host [sandbox]";
    Err(ProviderError::plain(421, text))
}

fn is_allowed(options: &Options, ends: Ends, host: &str) -> bool {
    let Some(name) = host_name(host) else { return false };
    if name == "localhost" || options.allow_host.contains(&name) {
        return true;
    }
    let Ok(address) = name.parse::<IpAddr>() else { return false };
    let own = |one: IpAddr| one.to_canonical() == address.to_canonical();
    is_loopback(address) || own(options.bind) || ends.local.is_some_and(|local| own(local.ip()))
}

/// Whether an address is loopback. An IPv4 address that is mapped to IPv6 counts as IPv4.
pub(crate) fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// The source of a request, as the browser reports it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// A program that is not a browser, or a page of the sandbox.
    Own,
    /// A page of the origin that `--cors` names.
    Listed,
    /// A page of another origin.
    Foreign,
}

impl Source {
    pub(crate) fn of(options: &Options, headers: &HeaderMap) -> Self {
        let mut origins = headers.get_all(ORIGIN).iter();
        let Some(origin) = origins.next() else { return Self::by_site(headers) };
        let (Ok(origin), None) = (origin.to_str(), origins.next()) else { return Self::Foreign };
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if own.zip(host).is_some_and(|(own, host)| own.eq_ignore_ascii_case(host)) {
            return Self::by_site(headers);
        }
        match &options.cors {
            Some(listed) if listed == origin => Self::Listed,
            _ => Self::Foreign,
        }
    }

    /// `same-site` counts as foreign, because another port of this machine belongs to another program.
    fn by_site(headers: &HeaderMap) -> Self {
        match headers.get(SITE).map(|site| site.as_bytes()) {
            None | Some(b"same-origin" | b"none") => Self::Own,
            Some(_) => Self::Foreign,
        }
    }

    /// Rejects a change by a foreign page with 403.
    ///
    /// # Errors
    /// When the method changes something and the page is foreign.
    pub(crate) fn admit(self, method: &Method) -> ProviderResult<()> {
        let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        if reads || self != Self::Foreign {
            return Ok(());
        }
        let text = "`Origin` must be the sandbox's own, or the one listed with --cors [sandbox]";
        Err(ProviderError::plain(403, text))
    }
}
