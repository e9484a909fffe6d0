//! Finds the reason of a failed exchange.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use super::proxies::ProxyMatcher;
use super::runtime::RUNTIME_PANIC;
use super::tls;
use super::watched_body::BodyWatch;
use crate::client::transport::{ProxyError, ProxyFailure, TransportError};
use crate::error::{Reason, SentState, Source as SharedSource};

/// Why an exchange failed.
pub(crate) enum ExchangeError {
    Reqwest(reqwest::Error),
    Timeout,
    /// The deadline passed while the attempt waited for a connection.
    Queued,
    TooLarge,
    /// The runtime shut down, or lacks timers or sockets.
    Runtime,
}

impl ExchangeError {
    /// The error of reqwest without the URL, which may contain a key.
    pub(super) fn into_source(self) -> Option<SharedSource> {
        match self {
            Self::Reqwest(error) => Some(Arc::new(error.without_url())),
            Self::Timeout | Self::Queued | Self::TooLarge | Self::Runtime => None,
        }
    }
}

/// Distinguishes errors by their chain of sources. The text of an error is never printed: it may contain the URL, which may
/// contain a key.
pub(crate) struct FailureReasons {
    /// The proxies that the connections use.
    pub(crate) proxies: ProxyMatcher,
}

impl FailureReasons {
    /// An error before the status line.
    pub(super) fn before_response(
        &self,
        url: &str,
        error: &ExchangeError,
        watch: &BodyWatch,
    ) -> TransportError {
        match error {
            ExchangeError::Reqwest(error) if error.is_builder() => {
                TransportError::new(SentState::No, Reason::Config)
            }
            ExchangeError::Reqwest(error) if error.is_connect() => {
                // There is no connection, so the request was not sent. The body is withdrawn too, so that
                // the watch reports the same later.
                watch.withdraw();
                let proxy = self.proxy_error(url, error);
                let reason = connect_reason(error, proxy);
                let certificate = certificate_error(error).filter(|_| reason == Reason::Tls);
                TransportError {
                    proxy,
                    is_not_tls: reason == Reason::Tls && any(error, &mut tls::is_not_tls),
                    ..TransportError::new(SentState::No, reason).certificate(certificate)
                }
            }
            ExchangeError::Queued => {
                TransportError { is_queued: true, ..TransportError::new(watch.withdraw(), Reason::Timeout) }
            }
            error => TransportError::new(watch.withdraw(), self.io_failure(error)),
        }
    }

    /// The reason of an error that is not a failure to connect.
    pub(super) fn io_failure(&self, error: &ExchangeError) -> Reason {
        match error {
            ExchangeError::Timeout | ExchangeError::Queued => Reason::Timeout,
            ExchangeError::TooLarge => Reason::TooLarge,
            ExchangeError::Runtime => Reason::Runtime,
            ExchangeError::Reqwest(error) => io_reason(error),
        }
    }

    /// The error of the proxy, if a proxy and not the provider caused the failure to connect.
    fn proxy_error(&self, url: &str, error: &reqwest::Error) -> Option<ProxyFailure> {
        let is = |start| any(error, &mut |source| starts_with(source, start));
        let url: http::Uri = url.parse().ok()?;
        let (is_http, setting) = self.proxies.find(&url)?;
        let error = if is("SOCKS error: credentials not accepted")
            || is("SOCKS error: server does not support user/pass")
            || is("tunnel error: proxy authorization required")
        {
            ProxyError::Credentials
        } else if is("tunnel error: failed to create") || is("SOCKS error: failed to create") {
            ProxyError::Unreachable
        } else if is("tunnel error: unsuccessful") {
            ProxyError::Refused
        } else if is("tunnel error") || is("SOCKS error: io error") || is("SOCKS error: failed parsing") {
            ProxyError::NoTunnel
        } else if is("SOCKS error") {
            ProxyError::Refused
        } else {
            // Without a tunnel, the only connection is the one to the proxy. In a tunnel, TLS is with the provider.
            let has_tunnel = url.scheme_str() == Some("https");
            if has_tunnel || !is_http {
                return None;
            }
            ProxyError::Unreachable
        };
        Some(ProxyFailure { error, setting })
    }
}

/// The reason of a failure to connect to the provider, or to the proxy if it is the cause.
fn connect_reason(error: &reqwest::Error, proxy: Option<ProxyFailure>) -> Reason {
    let dns = error.is_dns() || any(error, &mut |source| starts_with(source, "dns error"));
    if any(error, &mut is_exhausted) || dns && !has_descriptor() {
        Reason::Resources
    } else if any(error, &mut |source| starts_with(source, RUNTIME_PANIC)) {
        Reason::Runtime
    } else if dns {
        Reason::Dns
    } else if proxy.is_some_and(|failed| failed.error != ProxyError::Unreachable) {
        Reason::Proxy
    } else if any(error, &mut is_tls) {
        Reason::Tls
    } else if proxy.is_some() {
        Reason::Proxy
    } else {
        Reason::Connect
    }
}

fn io_reason(error: &reqwest::Error) -> Reason {
    let hyper =
        |is: fn(&hyper::Error) -> bool| any(error, &mut |source| source.downcast_ref().is_some_and(is));
    if error.is_timeout() {
        Reason::Timeout
    } else if any(error, &mut |source| starts_with(source, "message head is too large")) {
        Reason::TooLarge
    } else if any(error, &mut is_exhausted) {
        Reason::Resources
    } else if hyper(hyper::Error::is_parse) && !error.is_body() && !error.is_decode() {
        Reason::Decode
    } else {
        Reason::Reset
    }
}

type Source = dyn StdError + 'static;

/// Whether the error or one of its sources matches. `source` of an `io::Error` skips the wrapped error, so that error is
/// searched separately.
fn any(error: &Source, is: &mut dyn FnMut(&Source) -> bool) -> bool {
    let mut next = Some(error);
    while let Some(source) = next {
        let wrapped = source.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if is(source) || wrapped.is_some_and(|wrapped| any(wrapped, is)) {
            return true;
        }
        next = source.source();
    }
    false
}

fn starts_with(source: &Source, start: &str) -> bool {
    source.to_string().starts_with(start)
}

/// The error of the certificate, if it is the cause of the failure.
fn certificate_error(error: &Source) -> Option<&'static str> {
    let mut found = None;
    any(error, &mut |source| {
        found = found.or_else(|| tls::certificate_error(source));
        found.is_some()
    });
    found
}

/// Whether the TLS handshake failed: an error of the TLS library, or an unexpected end of the connection: before the request is
/// written, only the handshake reads from the connection.
fn is_tls(source: &Source) -> bool {
    let is_cut = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    tls::is_error(source) || source.downcast_ref().is_some_and(is_cut)
}

/// Whether descriptors, buffers or memory ran out.
#[cfg(unix)]
fn is_exhausted(source: &Source) -> bool {
    let codes = [libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
    let code = source.downcast_ref().and_then(io::Error::raw_os_error);
    code.is_some_and(|code| codes.contains(&code))
}

/// `WSAEMFILE` and `WSAENOBUFS`.
#[cfg(not(unix))]
fn is_exhausted(source: &Source) -> bool {
    matches!(source.downcast_ref().and_then(io::Error::raw_os_error), Some(10_024 | 10_055))
}

/// Whether a socket can be opened. Opens one, because the error of the resolver does not show whether descriptors ran out.
fn has_descriptor() -> bool {
    !matches!(std::net::UdpSocket::bind(("127.0.0.1", 0)), Err(error) if is_exhausted(&error))
}
