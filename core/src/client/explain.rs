//! The sentences of an error record: what happened, what is known of the request, what to do.

use std::time::Duration;

use super::verdict::Verdict;
use crate::error::Reason;
use crate::operation::Family;

pub(crate) fn message(
    verdict: Verdict,
    family: Family,
    status: u16,
    code: Option<i64>,
    wait: Option<Duration>,
) -> String {
    let code = code.map_or_else(String::new, |code| format!(", code {code}"));
    match verdict {
        Verdict::Accepted | Verdict::Refused => {
            format!("refused by the provider (HTTP {status}{code}); {}", advice(family, status))
        }
        Verdict::RefusedByStatus => {
            format!(
                "refused with HTTP {status}; the response is not the provider's own; {}",
                foreign_advice(status)
            )
        }
        Verdict::Throttled => match wait {
            Some(wait) => {
                format!("refused for now (HTTP {status}{code}); try again in {} s", wait.as_secs().max(1))
            }
            None => format!("refused for now (HTTP {status}{code}); try again later"),
        },
        Verdict::IdLost(_) => format!(
            "accepted (HTTP {status}), but the response is incomplete, so the id is unknown; do not send again"
        ),
        Verdict::Unknown(reason) => format!("{}; {LOOK}", what(reason, status)),
    }
}

const LOOK: &str = "the request may have been processed: look for its effect before sending again";

fn what(reason: Reason, status: u16) -> String {
    match reason {
        Reason::Http => format!("HTTP {status} does not show whether the provider processed the request"),
        Reason::Mismatch => format!("the response (HTTP {status}) belongs to another request"),
        Reason::TooLarge => format!("the response (HTTP {status}) is too large to be read"),
        Reason::Decode => format!("the response (HTTP {status}) does not show a valid result"),
        _ => format!("the response (HTTP {status}) was lost"),
    }
}

fn advice(family: Family, status: u16) -> &'static str {
    match status {
        300..=399 => REDIRECT,
        401 => credentials(family),
        403 => "check the key's rights, and that the provider has this machine's address on its list",
        404 => "check the address of this family and the id",
        _ => "correct the request, see `code` and `provider_message`",
    }
}

fn foreign_advice(status: u16) -> &'static str {
    match status {
        300..=399 => REDIRECT,
        407 => "check `proxy`: the proxy asks for credentials",
        _ => "check the configured address, and proxies and firewalls on the way",
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
