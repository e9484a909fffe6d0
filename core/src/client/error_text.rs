//! Messages of error records: the cause, whether the request was sent, and advice.

use std::time::Duration;

use super::call_info::Classification;
use super::transport::{ProxyError, ProxyFailure, TransportError};
use crate::error::{Processed, Reason, Record, SentState};
use crate::operation::Family;
use crate::printable::{MAX_NAME, printable};
use crate::provider_codes;
use crate::util::url_parts::UrlParts;

/// The message for a response that is not a success.
pub(crate) fn of_response(
    classification: Classification,
    family: Family,
    record: &Record,
    has_message: bool,
    wait: Option<Duration>,
) -> String {
    let (status, code) = (record.status.unwrap_or_default(), record.code);
    let known = code.and_then(|code| provider_codes::find_of_operation(&record.operation, family, code));
    let meaning = known.map_or_else(String::new, |known| format!(": {}", known.meaning));
    let code = code.map_or_else(String::new, |code| format!(", code {code}{meaning}"));
    match classification {
        Classification::Accepted | Classification::Rejected => {
            let advice = match record.processed() {
                Processed::Maybe if record.retryable() => "the provider failed: try again later".to_owned(),
                Processed::Maybe => FAILED_SEND.to_owned(),
                _ => known.map_or_else(|| advice(family, status), |known| known.advice).to_owned(),
            };
            let see = if has_message { "; see `provider_message`" } else { "" };
            format!("rejected by the provider (HTTP {status}{code}); {advice}{see}")
        }
        Classification::RejectedByStatus => {
            format!(
                "rejected with HTTP {status}; the response is not in the provider's own form; {}",
                foreign_advice(status)
            )
        }
        Classification::Throttled => match wait {
            Some(wait) => {
                format!("rate limited (HTTP {status}{code}); retry after {} s", wait.as_secs().max(1))
            }
            None => format!("rate limited (HTTP {status}{code}); retry later"),
        },
        Classification::IdUnknown(_) => format!(
            "accepted (HTTP {status}), but the response is incomplete, so the id is unknown; do not send again"
        ),
        Classification::Unknown(reason) => {
            format!(
                "{}; the request may have been processed: {}",
                unknown_cause(reason, status),
                after_unknown(record.retryable())
            )
        }
    }
}

/// The end of the message of a rejection for whose request validation found problems.
pub(crate) fn found_by_validation(causes: &str) -> String {
    format!("; validation had found: {causes}")
}

/// The message for a response whose id an earlier call received.
pub(crate) fn of_repeated_id(record: &Record) -> String {
    format!(
        "the response (HTTP {}) has an id that an earlier call of this client received; the request may have been processed: {} (a stub that \
         always returns one id requires the setting `accept_repeated_ids`)",
        record.status.unwrap_or_default(),
        after_unknown(record.retryable())
    )
}

/// The message for a passcode that is not valid.
pub(crate) fn of_invalid_passcode(record: &Record) -> String {
    let status = record.status.unwrap_or_default();
    let code = record.code.map_or_else(String::new, |code| format!(", code {code}"));
    let see = if record.provider_message.is_some() { "; see `provider_message`" } else { "" };
    // A mistake of the program, not of the person who entered the code.
    let is_unknown = record.code == Some(provider_codes::UNKNOWN_PASSCODE);
    let entry = provider_codes::find(Family::Otp, provider_codes::UNKNOWN_PASSCODE).filter(|_| is_unknown);
    let Some(entry) = entry else {
        return format!(
            "the passcode is wrong, expired, cancelled or already used (HTTP {status}{code}){see}"
        );
    };
    format!("{} (HTTP {status}{code}): {}{see}", entry.meaning, entry.advice)
}

/// Where an attempt failed, in parentheses: the host and the port, if the network or the provider failed, and the number of
/// attempts.
pub(crate) fn place(reason: Reason, url: &str, error: &TransportError, attempts: u32) -> String {
    let count = if attempts == 1 { "1 attempt".to_owned() } else { format!("{attempts} attempts") };
    if reason.is_local() || error.proxy.is_some() {
        return format!(" ({count})");
    }
    let host = UrlParts::split(url).host_with_port();
    format!(" ({}, {count})", printable(&host, MAX_NAME))
}

/// The message for an attempt without a complete response. `place` is that of an attempt that was not sent.
pub(crate) fn of_transport_error(
    reason: Reason,
    sent: SentState,
    retryable: bool,
    failed: &TransportError,
    place: &str,
) -> String {
    let TransportError { certificate, proxy, is_queued, is_not_tls, has_settings, .. } = *failed;
    if let Some(error) = certificate {
        let party = if proxy.is_some() { "proxy" } else { "server" };
        return format!(
            "not sent: the {party}'s certificate was not accepted: {error}{place}; a retry cannot succeed"
        );
    }
    let cause = match proxy {
        Some(ProxyFailure { setting, .. }) if is_not_tls => {
            format!("the proxy does not speak TLS at this port: check {setting} (it may expect http://)")
        }
        Some(error) => proxy_cause(reason, error),
        None if is_not_tls => NOT_TLS.to_owned(),
        None if is_queued => NO_FREE_CONNECTION.to_owned(),
        None if has_settings => setting_cause(reason).to_owned(),
        None => transport_cause(reason).to_owned(),
    };
    match sent {
        SentState::No if !retryable => format!("not sent: {cause}{place}"),
        SentState::No => format!("not sent: {cause}{place}; it is safe to retry"),
        _ => format!(
            "{cause}; the request may already have been sent and processed: {}",
            after_unknown(retryable)
        ),
    }
}

const NOT_TLS: &str = "the TLS handshake failed: the server does not speak TLS at this port: check host and port of the address";

const NO_FREE_CONNECTION: &str = "the deadline passed while the call waited for one of the connections of the client, which are limited by \
     `max_connections`: make fewer calls at once, or raise it";

const FAILED_SEND: &str =
    "the provider failed, perhaps after it processed the request: look for its effect before you try again";

/// What to do after an unknown outcome.
pub(crate) const fn after_unknown(retryable: bool) -> &'static str {
    if retryable { "it is safe to make the call again" } else { "look for its effect before sending again" }
}

fn unknown_cause(reason: Reason, status: u16) -> String {
    match reason {
        Reason::Http => format!("HTTP {status} does not show whether the provider processed the request"),
        Reason::Mismatch => format!("the response (HTTP {status}) belongs to another request"),
        Reason::TooLarge => format!(
            "the body of the response (HTTP {status}) is larger than `max_response_bytes`, or has too many values"
        ),
        Reason::Decode => format!("the response (HTTP {status}) does not contain a valid result"),
        Reason::Timeout => format!("the attempt timed out before the response (HTTP {status}) was complete"),
        Reason::Deadline => format!("the deadline passed before the response (HTTP {status}) was complete"),
        Reason::Reset
        // What a transport may report after it received a part of the response.
        | Reason::Dns
        | Reason::Connect
        | Reason::Tls
        | Reason::Proxy
        | Reason::Resources
        | Reason::Runtime
        | Reason::Cancelled
        | Reason::Config
        | Reason::Validation
        | Reason::NotVerified
        | Reason::Other => format!("the response (HTTP {status}) was cut off"),
    }
}

/// The cause of a failure of the proxy.
fn proxy_cause(reason: Reason, failed: ProxyFailure) -> String {
    let ProxyFailure { error, setting } = failed;
    match (reason, error) {
        (Reason::Dns, ProxyError::Unreachable) => {
            format!("the proxy's host name could not be resolved: check {setting}")
        }
        (Reason::Tls, ProxyError::Unreachable) => {
            format!(
                "the TLS handshake with the proxy failed: check {setting} (it may expect http://), the trust roots (`ca_bundle`) and the clock"
            )
        }
        (Reason::Proxy, ProxyError::Unreachable) => {
            format!("the connection to the proxy could not be made: check {setting}")
        }
        (Reason::Proxy, ProxyError::Credentials) => {
            format!(
                "the proxy requires other credentials (HTTP 407 or its SOCKS equivalent): check {setting}"
            )
        }
        (Reason::Proxy, ProxyError::Refused) => {
            format!(
                "the proxy refused to open a tunnel to the provider, or does not answer as a proxy: check {setting} and the rules of the proxy"
            )
        }
        (Reason::Proxy, ProxyError::NoTunnel) => {
            format!("the proxy failed before it opened a tunnel to the provider: check {setting}")
        }
        _ => setting_cause(reason).to_owned(),
    }
}

/// The cause of a failure of a connection that follows the settings of the client.
const fn setting_cause(reason: Reason) -> &'static str {
    match reason {
        Reason::Tls => "the TLS handshake failed: check the trust roots (`ca_bundle`) and the clock",
        Reason::Resources => {
            "the process has run out of file descriptors: raise its limit or lower `max_connections`"
        }
        _ => transport_cause(reason),
    }
}

/// The cause of a failure of any connection, also of one of the program.
const fn transport_cause(reason: Reason) -> &'static str {
    match reason {
        Reason::Dns => "the provider's host name could not be resolved",
        Reason::Connect => "the connection to the provider could not be made",
        Reason::Tls => "the TLS handshake failed: check the trust roots and the clock",
        Reason::Proxy => "the proxy failed",
        Reason::Timeout => "the attempt timed out",
        Reason::Deadline => "the deadline of the call passed",
        Reason::Decode => "the response was not valid HTTP",
        Reason::TooLarge => {
            "the head of the response is too large: more than 100 headers, or more than 417,792 bytes"
        }
        Reason::Runtime => {
            "no async runtime is running, it has no timers or no I/O, or it is shutting down: call inside a running tokio runtime \
             that was built with `enable_all()`"
        }
        Reason::Resources => {
            "the process has run out of file descriptors: raise its limit, or open fewer connections"
        }
        Reason::Config => "the request cannot be built: check the configured address and keys",
        Reason::Reset => "the connection was lost",
        // The library's own transports report none of these.
        Reason::Validation
        | Reason::Http
        | Reason::Cancelled
        | Reason::Mismatch
        | Reason::NotVerified
        | Reason::Other => "the transport failed",
    }
}

const fn advice(family: Family, status: u16) -> &'static str {
    match status {
        300..=399 => REDIRECT,
        401 => credentials(family),
        403 => {
            "the account or the key does not allow this request, or the provider does not allow this IP address"
        }
        404 => "check the address of this family and the id",
        408 => "the provider did not receive the request in time: try again",
        429 => "too many requests: try again later",
        _ => "correct the request",
    }
}

const fn foreign_advice(status: u16) -> &'static str {
    match status {
        300..=399 => REDIRECT,
        403 => {
            "a proxy or firewall, or the provider's edge, does not allow this request from this IP address"
        }
        407 => "a proxy requires credentials",
        _ => "check the configured address, and the proxies and firewalls in between",
    }
}

const REDIRECT: &str = "the address redirects, and redirects are never followed: configure the final address";

const fn credentials(family: Family) -> &'static str {
    match family {
        Family::Otp => "check `account_sid` and `api_key`",
        Family::Sms => "check `sms_key`, or `api_key` in its place",
        Family::Lookup => "check `lookup_key`, or `api_key` in its place",
        Family::Messaging => "check `messaging_key`, or `sms_key` or `api_key` in its place",
        Family::MessengerB => "check `messenger_b_token`",
        Family::MessengerC => "check the bot's id",
    }
}
