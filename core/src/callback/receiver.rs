//! The receiver of callbacks, for any web framework.

mod endpoint;
mod event_reader;

use std::fmt;

use super::event::{Event, Received, Source};
use super::keyring::Keyring;
use super::token::{Claims, Lifetime, MintError, Purpose, RejectionReason, claimed_purpose};
use super::token_url::{TOKEN_PARAMETER, UrlError, token_url};
use super::url_encoding;
use crate::util::url_parts::UrlParts;

pub use endpoint::Endpoint;
use endpoint::{endpoint_url, find};

/// The HTTP status for every rejected callback.
pub const REJECTED_STATUS: u16 = 403;
/// The HTTP status for every accepted callback: messenger_b requires 200 for its check.
pub const ACCEPTED_STATUS: u16 = 200;

/// A rejected callback. Respond with [`CallbackRejected::status`] and an empty body for every reason. `reason` is for the log;
/// it contains nothing of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("callback rejected: {reason}")]
#[non_exhaustive]
pub struct CallbackRejected {
    /// The reason.
    pub reason: RejectionReason,
}

impl CallbackRejected {
    /// The HTTP status of the response: 403 for every reason, so that an attacker cannot distinguish the reasons.
    #[must_use]
    pub const fn status(self) -> u16 {
        REJECTED_STATUS
    }
}

impl From<RejectionReason> for CallbackRejected {
    fn from(reason: RejectionReason) -> Self {
        Self { reason }
    }
}

/// Why a callback URL or a token cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IssueError {
    /// The receiver has no keyring for the purpose.
    #[error(
        "the receiver has no keyring for this purpose: set `delivery_keys` for delivery reports, `inbound_keys` for messages and \
         events of users"
    )]
    NoKeyring,
    /// The receiver has no endpoint for the source.
    #[error("the receiver has no endpoint for this source")]
    NoEndpoint,
    /// The token cannot be made.
    #[error(transparent)]
    Mint(MintError),
    /// The token cannot be added to the URL.
    #[error(transparent)]
    Url(UrlError),
}

/// Receives callbacks, without I/O: pass the request from the web framework, and respond with the returned status.
///
/// `public_url` is the registered URL of the application. It is never derived from a request, so that a proxy may rewrite the
/// scheme, the host or a prefix of the path. Of a request, only the method, the path, the query, the content type and the body
/// are read. Immutable and thread-safe.
#[derive(Clone)]
pub struct Receiver {
    audience: String,
    public_url: String,
    delivery_keys: Option<Keyring>,
    inbound_keys: Option<Keyring>,
    endpoints: Vec<Endpoint>,
}

impl Receiver {
    /// Creates a receiver for an audience and a public URL. The audience is any string that identifies the application; tokens
    /// must be minted with the same string. Without [`Receiver::endpoint`], the public URL receives all callbacks.
    ///
    /// # Errors
    /// [`UrlError`] if the URL is not absolute or has a parameter `token`.
    pub fn new(audience: impl Into<String>, public_url: impl Into<String>) -> Result<Self, UrlError> {
        let public_url = public_url.into();
        token_url(&public_url, "v1")?;
        Ok(Self {
            audience: audience.into(),
            public_url,
            delivery_keys: None,
            inbound_keys: None,
            endpoints: Vec::new(),
        })
    }

    /// The keys of delivery reports of SMS and of chat messages. Without these keys, every report is rejected.
    #[must_use]
    pub fn delivery_keys(mut self, keyring: Keyring) -> Self {
        self.delivery_keys = Some(keyring);
        self
    }

    /// The keys of inbound SMS and of the chat channels' events. Without these keys, every such event is rejected.
    #[must_use]
    pub fn inbound_keys(mut self, keyring: Keyring) -> Self {
        self.inbound_keys = Some(keyring);
        self
    }

    /// Adds a path below the public URL.
    #[must_use]
    pub fn endpoint(mut self, endpoint: Endpoint) -> Self {
        self.endpoints.push(endpoint);
        self
    }

    /// The audience that tokens are bound to.
    #[must_use]
    pub fn audience(&self) -> &str {
        &self.audience
    }

    /// The keyring for tokens of this purpose.
    #[must_use]
    pub fn keyring(&self, purpose: Purpose) -> Option<&Keyring> {
        match purpose {
            Purpose::DeliveryReport | Purpose::ChatReport => self.delivery_keys.as_ref(),
            Purpose::Inbound => self.inbound_keys.as_ref(),
        }
    }

    /// Makes a token for the audience of this receiver, see [`Keyring::mint`].
    ///
    /// # Errors
    /// [`IssueError`].
    pub fn mint(
        &self,
        purpose: Purpose,
        reference: &str,
        lifetime: Lifetime,
        now: u64,
    ) -> Result<String, IssueError> {
        let keyring = self.keyring(purpose).ok_or(IssueError::NoKeyring)?;
        keyring.mint(purpose, &self.audience, reference, lifetime, now).map_err(IssueError::Mint)
    }

    /// Returns the URL of a source's endpoint, with a token. For [`Source::SmsReport`], the URL is the `callback` of the SMS with
    /// this `reference`, which must not be empty unless the endpoint is [`Endpoint::without_reference`]. For another source, the
    /// reference is ignored and the URL is the one to register.
    ///
    /// # Errors
    /// [`IssueError`].
    pub fn url(&self, source: Source, reference: &str, now: u64) -> Result<String, IssueError> {
        let address = self.address(source)?;
        let token = self.mint_for(source, &self.audience, reference, Lifetime::Default, now)?;
        token_url(&address, &token).map_err(IssueError::Url)
    }

    /// Makes a token for a source, bound to the reference if the callbacks of the source return it.
    pub(super) fn mint_for(
        &self,
        source: Source,
        audience: &str,
        reference: &str,
        lifetime: Lifetime,
        now: u64,
    ) -> Result<String, IssueError> {
        let purpose = source.purpose();
        let keyring = self.keyring(purpose).ok_or(IssueError::NoKeyring)?;
        let token = if self.binds(source) {
            keyring.mint(purpose, audience, reference, lifetime, now)
        } else {
            keyring.mint_unbound(purpose, audience, lifetime, now)
        };
        token.map_err(IssueError::Mint)
    }

    /// The URL of the endpoint of this source, without a token.
    pub(super) fn address(&self, source: Source) -> Result<String, IssueError> {
        match self.endpoint_of(source) {
            Some(endpoint) => Ok(endpoint_url(&self.public_url, endpoint)),
            None if self.endpoints.is_empty() => Ok(endpoint_url(&self.public_url, &Endpoint::everything())),
            None => Err(IssueError::NoEndpoint),
        }
    }

    /// Whether a token for this source is bound to a reference: for an SMS, unless the endpoint is without reference.
    fn binds(&self, source: Source) -> bool {
        let purpose = source.purpose();
        match self.endpoint_of(source) {
            Some(endpoint) => endpoint.binds_reference(purpose),
            None => purpose == Purpose::DeliveryReport,
        }
    }

    fn endpoint_of(&self, source: Source) -> Option<&Endpoint> {
        self.endpoints.iter().find(|endpoint| endpoint.receives(source))
    }

    /// Verifies and parses one request. `url` is absolute or starts with the path; only the header `Content-Type` is read;
    /// `now` is in Unix seconds.
    ///
    /// An authentic request is never rejected because of its content: unknown content is [`Event::Unknown`].
    ///
    /// # Errors
    /// [`CallbackRejected`], for the log and for [`CallbackRejected::status`].
    pub fn receive(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: &[u8],
        now: u64,
    ) -> Result<Received, CallbackRejected> {
        if !method.eq_ignore_ascii_case("GET") && !method.eq_ignore_ascii_case("POST") {
            return Err(RejectionReason::Method.into());
        }
        let everything = Endpoint::everything();
        let parts = UrlParts::split(url);
        let endpoint = match self.endpoints.as_slice() {
            [] => &everything,
            endpoints => find(endpoints, &self.public_url, parts.path).ok_or(RejectionReason::Endpoint)?,
        };
        let request = event_reader::Request { url, query: parts.query.unwrap_or_default(), headers, body };
        let token = only_token(request.query)?;
        let claimed = claimed_purpose(&token)?;
        let (event, claims) = self.read(endpoint, &request, &token, claimed, now)?;
        Ok(Received { event, claims })
    }

    fn read(
        &self,
        endpoint: &Endpoint,
        request: &event_reader::Request<'_>,
        token: &str,
        claimed: Purpose,
        now: u64,
    ) -> Result<(Event, Claims), RejectionReason> {
        let keyring = self.keyring(claimed).ok_or(RejectionReason::UnknownKey)?;
        if !endpoint.sources().any(|source| source.purpose() == claimed) {
            return Err(other_purpose(keyring.authenticate(token, &self.audience, "")));
        }
        let verify = |reference: &str| keyring.verify(token, claimed, &self.audience, reference, now);
        if claimed == Purpose::DeliveryReport {
            let report = event_reader::sms_report(endpoint, request);
            let reference = report.reference.as_deref().filter(|_| endpoint.binds_reference(claimed));
            let claims = verify(reference.unwrap_or_default())?;
            return Ok((event_reader::known_or_raw(report, request), claims));
        }
        let claims = verify("")?;
        Ok((event_reader::event(endpoint, claimed, request), claims))
    }
}

impl fmt::Debug for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Receiver");
        out.field("audience", &self.audience).field("delivery_keys", &self.delivery_keys);
        out.field("inbound_keys", &self.inbound_keys).field("endpoints", &self.endpoints.len());
        out.finish_non_exhaustive()
    }
}

/// The reason for a token with a purpose that the endpoint does not receive: `OtherPurpose` if the head of the token is
/// authentic.
fn other_purpose(authenticated: Result<Claims, RejectionReason>) -> RejectionReason {
    match authenticated {
        Ok(_) | Err(RejectionReason::OtherAudience | RejectionReason::OtherReference) => {
            RejectionReason::OtherPurpose
        }
        Err(reason) => reason,
    }
}

fn only_token(query: &str) -> Result<String, RejectionReason> {
    let mut tokens =
        url_encoding::pairs(query).filter(|(name, _)| name == TOKEN_PARAMETER).map(|(_, value)| value);
    match (tokens.next(), tokens.next()) {
        (None, _) => Err(RejectionReason::Absent),
        (Some(_), Some(_)) => Err(RejectionReason::Malformed),
        (Some(token), None) if token.is_empty() => Err(RejectionReason::Absent),
        (Some(token), None) => Ok(token.into_owned()),
    }
}
