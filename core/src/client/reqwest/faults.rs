use std::error::Error as StdError;
use std::io;

use super::watched::Watch;
use crate::client::transport::TransportError;
use crate::error::{Reason, Sent};

/// Tells faults apart by walking the chain of sources. Nothing of an error is ever printed: it may
/// hold the URL, which may hold a key.
pub(crate) struct Faults {
    pub(crate) proxied: bool,
}

impl Faults {
    /// A fault before the status line.
    pub(crate) fn explain(&self, error: &reqwest::Error, watch: Option<&Watch>) -> TransportError {
        if error.is_builder() {
            return TransportError::new(Sent::No, Reason::Config);
        }
        if error.is_connect() {
            return TransportError::new(Sent::No, self.connect(error));
        }
        TransportError::new(sent(watch), later(error))
    }

    /// A fault after the status line.
    pub(crate) fn cut(&self, error: &reqwest::Error) -> TransportError {
        TransportError::new(Sent::Yes, if error.is_timeout() { Reason::Timeout } else { Reason::Reset })
    }

    fn connect(&self, error: &reqwest::Error) -> Reason {
        if error.is_dns() || chain(error).any(|source| says(source, "dns error")) {
            Reason::Dns
        } else if chain(error).any(is_tls) {
            Reason::Tls
        } else if self.proxied || chain(error).any(|source| says(source, "tunnel error")) {
            Reason::Proxy
        } else {
            Reason::Connect
        }
    }
}

/// The time was over before the status line.
pub(crate) fn late(watch: Option<&Watch>) -> TransportError {
    TransportError::new(sent(watch), Reason::Timeout)
}

fn sent(watch: Option<&Watch>) -> Sent {
    if watch.is_some_and(Watch::withdraw) { Sent::No } else { Sent::Maybe }
}

fn later(error: &reqwest::Error) -> Reason {
    if error.is_timeout() {
        Reason::Timeout
    } else if chain(error).any(|source| source.downcast_ref().is_some_and(hyper::Error::is_parse)) {
        Reason::Decode
    } else {
        Reason::Reset
    }
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    let mut next = error.source();
    std::iter::from_fn(move || {
        let source = next?;
        next = source.source();
        Some(source)
    })
}

fn says(source: &(dyn StdError + 'static), start: &str) -> bool {
    source.to_string().starts_with(start)
}

/// A fault of rustls, however deep it is wrapped, or a handshake that was cut off: only a handshake reads before
/// the request is written.
fn is_tls(source: &(dyn StdError + 'static)) -> bool {
    if source.is::<rustls::Error>() {
        return true;
    }
    let Some(error) = source.downcast_ref::<io::Error>() else { return false };
    // An `io::Error` skips the error it wraps in its chain of sources.
    error.kind() == io::ErrorKind::UnexpectedEof || error.get_ref().is_some_and(|inner| is_tls(inner))
}
