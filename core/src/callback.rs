//! Callbacks (sections E, Authentication and Events): delivery-report templates, tokens, typed events and the receiving side.
//!
//! The functions do no I/O and read no clock: the current time is an argument, in Unix seconds. All types are immutable and
//! thread-safe, except for the stores [`Duplicates`] and [`Pending`].
//!
//! ```
//! use cpaas::callback::{Event, Keyring, Receiver, Source};
//!
//! let keys = Keyring::new([("k1", "thirty-two bytes that are random")])?;
//! let receiver = Receiver::new("shop", "https://shop.example/hooks/sms")?.delivery_keys(keys);
//!
//! // Sending: the token is bound to this message by its reference.
//! let callback = receiver.url(Source::SmsReport, "booking-7", 1_700_000_000)?;
//!
//! // Receiving: the host and the scheme of the proxy do not matter.
//! let query = callback.split_once('?').unwrap().1;
//! let url = format!("http://10.0.0.7:8080/hooks/sms?{query}&msgid=m-1&status=delivered&reference=booking-7");
//! let received = receiver.receive("GET", &url, &[], b"", 1_700_000_060)?;
//! let Event::SmsReport(report) = received.event else { unreachable!() };
//! assert_eq!(report.message_id.as_deref(), Some("m-1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(all(feature = "axum", not(target_family = "wasm")))]
pub mod axum;
pub(crate) mod callback_json;
mod config_error_text;
mod duplicates;
mod event;
pub(crate) mod event_key;
mod keyring;
pub(crate) mod lease;
mod pending;
mod receiver;
mod receiver_config;
mod template;
mod token;
mod token_url;
mod url_encoding;

pub use duplicates::{Arrival, Duplicates};
pub use event::{
    BusinessChat, BusinessChatEvent, ChatReport, Event, InboundSms, MessengerB, MessengerC, PayloadMember,
    Received, SmsReport, Source, Status, StatusKind, Unknown,
};
pub use keyring::{Key, KeyNotice, KeyState, Keyring, KeyringError, MAX_KEYS, MAX_KID, MIN_SECRET_BYTES};
pub use lease::{
    Claimed, DEFAULT_KEEP, DEFAULT_LEASE, LeaseError, LeaseMemory, MAX_LEASE, MIN_KEEP, MIN_LEASE,
    valid_lease,
};
#[cfg(all(feature = "leases", not(target_family = "wasm")))]
pub use lease::{Lease, LeaseReply, LeaseStore, Leases};
pub use pending::{Pending, Reconciled};
pub use receiver::{ACCEPTED_STATUS, CallbackRejected, Endpoint, IssueError, REJECTED_STATUS, Receiver};
pub use receiver_config::ConfigError;
pub use template::{Template, TemplateFormat, Values, Variable};
pub use token::{
    CLOCK_LEEWAY, Claims, DEFAULT_LIFETIME, Lifetime, MAX_LIFETIME, MIN_LIFETIME, MintError, Nonce, Purpose,
    RejectionReason,
};
pub(crate) use token::{RANDOM_BYTES, random as random_token_bytes};
pub use token_url::{TOKEN_PARAMETER, UrlError, token_url};
