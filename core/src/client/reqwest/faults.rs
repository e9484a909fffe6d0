use std::error::Error as StdError;
use std::io;

use super::{Fault, Flight};
use crate::client::transport::TransportError;
use crate::error::{Reason, SentState};

/// Tells faults apart by walking the chain of sources. Nothing of an error is ever printed: it may
/// hold the URL, which may hold a key.
pub(crate) struct Faults {
    pub(crate) proxied: bool,
}

impl Faults {
    /// A fault before the status line.
    pub(super) fn explain(&self, fault: &Fault, flight: &Flight<'_>) -> TransportError {
        match fault {
            Fault::Reqwest(error) if error.is_builder() => TransportError::new(SentState::No, Reason::Config),
            Fault::Reqwest(error) if error.is_connect() => {
                // What was never handed to a connection is withdrawn all the same: the report and the proof agree.
                flight.watch.withdraw();
                TransportError::new(SentState::No, self.connect(error))
            }
            fault => TransportError::new(flight.sent(), self.cut(fault)),
        }
    }

    /// Why an exchange ended that may have begun.
    pub(super) fn cut(&self, fault: &Fault) -> Reason {
        match fault {
            Fault::Late => Reason::Timeout,
            Fault::TooLarge => Reason::TooLarge,
            Fault::Runtime => Reason::Runtime,
            Fault::Reqwest(error) => later(error),
        }
    }

    fn connect(&self, error: &reqwest::Error) -> Reason {
        let dns = error.is_dns() || any(error, &|source| says(source, "dns error"));
        if any(error, &is_exhausted) || dns && !has_descriptor() {
            Reason::Resources
        } else if any(error, &|source| says(source, "A Tokio 1.x context was found, but")) {
            Reason::Runtime
        } else if dns {
            Reason::Dns
        } else if any(error, &is_tls) {
            Reason::Tls
        } else if self.proxied || any(error, &|source| says(source, "tunnel error")) {
            Reason::Proxy
        } else {
            Reason::Connect
        }
    }
}

fn later(error: &reqwest::Error) -> Reason {
    let hyper = |is: fn(&hyper::Error) -> bool| any(error, &|source| source.downcast_ref().is_some_and(is));
    if error.is_timeout() {
        Reason::Timeout
    } else if any(error, &|source| says(source, "message head is too large")) {
        Reason::TooLarge
    } else if any(error, &is_exhausted) {
        Reason::Resources
    } else if hyper(hyper::Error::is_parse) && !error.is_body() && !error.is_decode() {
        Reason::Decode
    } else {
        Reason::Reset
    }
}

type Source = dyn StdError + 'static;

/// Whether one of the causes is such. An `io::Error` skips the error that it wraps in its chain of sources.
fn any(error: &Source, is: &dyn Fn(&Source) -> bool) -> bool {
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

fn says(source: &Source, start: &str) -> bool {
    source.to_string().starts_with(start)
}

/// A fault of rustls, or a handshake that was cut off: only a handshake reads before the request is written.
fn is_tls(source: &Source) -> bool {
    let is_cut = |error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof;
    source.is::<rustls::Error>() || source.downcast_ref().is_some_and(is_cut)
}

/// The codes of descriptors, buffers and memory that ran out.
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

/// The resolver does not say that it could open no socket.
fn has_descriptor() -> bool {
    !matches!(std::net::UdpSocket::bind(("127.0.0.1", 0)), Err(error) if is_exhausted(&error))
}
