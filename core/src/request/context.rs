//! The context of requests: addresses, credentials and names from a configuration.

use std::fmt;

use crate::channel::Envelope;
use crate::config::{Config, Region, Validation, origin};
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::{Family, HttpRequest, Method};
use crate::rules::url::{self, UrlProblem};

#[cfg(feature = "callback")]
use super::callback_signer::CallbackSigner;
use super::{Credentials, NumberSettings, WireNames, metadata::Meta};

/// Addresses, credentials and names; immutable and cheap to share.
#[derive(Clone)]
#[non_exhaustive]
pub struct RequestContext {
    bases: Vec<(Family, Vec<String>)>,
    /// The member of the configuration with the address of the chosen region.
    sms_address: &'static str,
    pub(crate) credentials: Credentials,
    /// The names that the provider documents ambiguously.
    pub names: WireNames,
    /// How requests are validated before a call.
    pub validation: Validation,
    pub(crate) numbers: NumberSettings,
    /// Whether a client with a store needs the recipients of a prepared request.
    #[cfg(feature = "call")]
    pub(crate) keeps_sms_recipients: bool,
    /// Whether the records are searched for a passcode whose response was lost.
    pub(crate) finds_passcodes: bool,
    traffic_account_id: Option<String>,
    account_sid: Option<String>,
    #[cfg(feature = "callback")]
    tokens: Option<CallbackSigner>,
}

#[cfg(feature = "call")]
impl RequestContext {
    /// Uses the time and the random bytes of a clock for the tokens of callbacks.
    pub(crate) fn with_clock(mut self, clock: &std::sync::Arc<dyn crate::clock::Clock>) -> Self {
        if let Some(tokens) = &mut self.tokens {
            tokens.clock = Some(clock.clone());
        }
        self
    }
}

#[cfg(all(feature = "http", not(target_family = "wasm")))]
impl RequestContext {
    /// Whether an address needs TLS.
    pub(crate) fn needs_tls(&self) -> bool {
        self.addresses().any(|base| !base.starts_with("http://"))
    }

    /// Every configured address.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &str> {
        self.bases.iter().flat_map(|(_, bases)| bases).map(String::as_str)
    }
}

impl RequestContext {
    /// The addresses of each family that has one, in the order in which they are used.
    pub(crate) fn family_addresses(&self) -> impl Iterator<Item = (Family, &[String])> {
        let families = self.bases.iter().map(|(family, bases)| (*family, bases.as_slice()));
        families.filter(|(_, bases)| !bases.is_empty())
    }

    /// Creates a context from a configuration.
    ///
    /// # Errors
    /// `invalid` with the reason `config` when a member has an invalid value.
    pub fn new(config: &Config) -> Result<Self, Error> {
        Self::of(config).map_err(|error| config.names_variables(error))
    }

    fn of(config: &Config) -> Result<Self, Error> {
        Ok(Self {
            bases: bases(config)?,
            sms_address: ordered_regions(config).next().map_or("sms_url", |(_, name, _)| name),
            credentials: Credentials::new(config)?,
            names: WireNames::new(config)?,
            validation: config.validation.unwrap_or_default(),
            numbers: NumberSettings::new(config)?,
            #[cfg(feature = "call")]
            keeps_sms_recipients: false,
            finds_passcodes: false,
            traffic_account_id: config.traffic_account_id.clone(),
            account_sid: config.account_sid.clone(),
            #[cfg(feature = "callback")]
            tokens: CallbackSigner::new(config)?,
        })
    }

    /// The scheme, host and port of each address of a family, without paths and secrets; sorted.
    #[must_use]
    pub fn origins(&self, family: Family) -> Vec<String> {
        let bases = self.bases.iter().filter(|(known, _)| *known == family).flat_map(|(_, bases)| bases);
        let mut origins: Vec<String> = bases.map(|base| origin(base)).collect();
        origins.sort_unstable();
        origins
    }

    /// A request for an operation: address, path and credentials.
    ///
    /// # Errors
    /// `invalid` with the reason `config` when the address or the credentials are absent.
    pub fn request(&self, meta: &Meta, path: &str) -> Result<HttpRequest, Error> {
        let request = self.raw_request(meta.id, meta.family, meta.method, path)?;
        match self.credentials.lacks(meta.family) {
            Some(advice) => Err(lacking(meta.id, advice)),
            None => Ok(request),
        }
    }

    /// A request for a path that no operation covers, with the family's address. Missing credentials are not an
    /// error, because the endpoint may require none, or others.
    ///
    /// # Errors
    /// `invalid` with the reason `config` when the address is absent.
    pub fn raw_request(
        &self,
        operation: &'static str,
        family: Family,
        method: Method,
        path: &str,
    ) -> Result<HttpRequest, Error> {
        let bases = self.bases.iter().find(|(known, _)| *known == family).map(|(_, bases)| bases.as_slice());
        let Some((first, others)) = bases.and_then(<[String]>::split_first) else {
            let name = if family == Family::Sms { self.sms_address } else { address_name(family) };
            let text = format!("set `{name}`, or CPAAS_{} in the environment", name.to_uppercase());
            return Err(lacking(operation, &text));
        };
        Ok(HttpRequest {
            operation,
            family,
            method,
            url: [first, path].concat(),
            alternates: others.iter().map(|base| [base, path].concat()).collect(),
            headers: self.credentials.headers(family),
            body: None,
        })
    }

    /// Sets the traffic account of a message that has none.
    pub fn fill_traffic_account(&self, account: &mut Option<String>) {
        if account.is_none() {
            account.clone_from(&self.traffic_account_id);
        }
    }

    /// Sets the account of a request that has none.
    pub fn fill_account_sid(&self, account: &mut Option<String>) {
        if account.is_none() {
            account.clone_from(&self.account_sid);
        }
    }

    /// Adds a token to a callback URL if a keyring is configured.
    #[cfg(feature = "callback")]
    pub(crate) fn sign_callback(
        &self,
        operation: &'static str,
        callback: &mut Option<String>,
        reference: Option<&str>,
    ) -> Result<(), Error> {
        match &self.tokens {
            Some(tokens) => tokens.sign_callback(operation, callback, reference),
            None => Ok(()),
        }
    }

    /// The key of the family `lookup`, for the query.
    pub(crate) fn lookup_key(&self) -> Option<&str> {
        self.credentials.lookup_key()
    }

    /// The body of a single message, with the channels' names on the wire.
    #[must_use]
    pub fn single_body(&self, envelope: &Envelope) -> Vec<u8> {
        self.names.body(envelope, false)
    }

    /// The body of a bulk message, with the channels' names on the wire.
    #[must_use]
    pub fn bulk_body(&self, envelope: &Envelope) -> Vec<u8> {
        self.names.body(envelope, true)
    }
}

/// `Debug` shows which families have an address, but no address, account or key.
impl fmt::Debug for RequestContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let families = self.bases.iter().filter(|(_, bases)| !bases.is_empty()).map(|(family, _)| *family);
        f.debug_struct("RequestContext")
            .field("families", &families.collect::<Vec<_>>())
            .field("validation", &self.validation)
            .finish_non_exhaustive()
    }
}

fn lacking(operation: &'static str, advice: &str) -> Error {
    let text = format!("nothing was sent: {advice}");
    Error::new(Outcome::Invalid, SentState::No, Reason::Config, operation, text)
}

fn bases(config: &Config) -> Result<Vec<(Family, Vec<String>)>, Error> {
    let one = |family: Family, url: &Option<String>| {
        let bases = url.iter().map(|url| base(address_name(family), url)).collect::<Result<_, _>>()?;
        Ok::<(Family, Vec<String>), Error>((family, bases))
    };
    Ok(vec![
        one(Family::Otp, &config.otp_url)?,
        (Family::Sms, sms_bases(config)?),
        one(Family::Lookup, &config.lookup_url)?,
        one(Family::Messaging, &config.messaging_url)?,
        one(Family::MessengerB, &config.messenger_b_url)?,
        one(Family::MessengerC, &config.messenger_c_url)?,
    ])
}

fn base(name: &str, address: &str) -> Result<String, Error> {
    let problem = match url::check_address(address) {
        Ok(()) => return Ok(address.trim_end_matches('/').to_owned()),
        Err(problem) => problem,
    };
    // An empty address has no reason of its own.
    let reason = problem.reason().or(UrlProblem::Scheme.reason()).unwrap_or_default();
    Err(Error::config(format!("`{name}` is not a valid address: {reason}")))
}

/// The regions of the SMS service, each with the member of the configuration that has its address.
fn regions(config: &Config) -> impl Iterator<Item = (Region, &'static str, &Option<String>)> {
    Region::ALL.iter().map(|region| match region {
        Region::Nearest => (*region, "sms_url", &config.sms_url),
        Region::Frankfurt => (*region, "sms_url_frankfurt", &config.sms_url_frankfurt),
        Region::Singapore => (*region, "sms_url_singapore", &config.sms_url_singapore),
        Region::HongKong => (*region, "sms_url_hong_kong", &config.sms_url_hong_kong),
        Region::UnitedStates => (*region, "sms_url_united_states", &config.sms_url_united_states),
    })
}

/// The chosen region first, then the other ones.
fn ordered_regions(config: &Config) -> impl Iterator<Item = (Region, &'static str, &Option<String>)> {
    let chosen = config.region.unwrap_or_default();
    let first = regions(config).filter(move |(region, ..)| *region == chosen);
    first.chain(regions(config).filter(move |(region, ..)| *region != chosen))
}

/// The address of the chosen region, then those of the other configured ones for failover.
fn sms_bases(config: &Config) -> Result<Vec<String>, Error> {
    if ordered_regions(config).next().is_none_or(|(_, _, url)| url.is_none()) {
        return Ok(Vec::new());
    }
    ordered_regions(config).filter_map(|(_, name, url)| url.as_deref().map(|url| base(name, url))).collect()
}

const fn address_name(family: Family) -> &'static str {
    match family {
        Family::Otp => "otp_url",
        Family::Sms => "sms_url",
        Family::Lookup => "lookup_url",
        Family::Messaging => "messaging_url",
        Family::MessengerB => "messenger_b_url",
        Family::MessengerC => "messenger_c_url",
    }
}
