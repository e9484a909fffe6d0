//! Requests and responses without I/O: the context of a request, encoding and decoding.

#[cfg(feature = "callback")]
mod callback_signer;
mod context;
pub(crate) mod credentials;
pub(crate) mod encoding;
mod incoming_request;
pub(crate) mod metadata;
mod number_settings;
pub(crate) mod reserved_headers;
mod wire_names;

pub use crate::util::percent::{percent_encode, percent_encode_segment};
pub use context::RequestContext;
pub use credentials::Credentials;
pub use incoming_request::{IncomingRequest, Members, RequestDecodeError};
pub(crate) use number_settings::NumberSettings;
pub use wire_names::WireNames;
