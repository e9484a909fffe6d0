//! Authenticates a request: the schemes of each family.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use cpaas::http::Family;
use hyper::HeaderMap;

use crate::account::Account;
use crate::assumptions::AssumptionId;
use crate::call::Route;
use crate::options::{MessagingAuth, Options};
use crate::provider_error::{ProviderError, ProviderResult};
use crate::query_string;
use crate::sandbox_state::Shared;

/// The account whose credentials a request has, and the header or parameter that contains them.
#[derive(Default)]
pub(crate) struct Caller {
    pub(crate) account: Option<Arc<Account>>,
    pub(crate) by: Option<&'static str>,
    /// The credentials are invalid, or contradict each other.
    wrong: bool,
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The value with its scheme written `Basic`; the case of a scheme is not significant (RFC 9110, section 11.1).
fn with_normal_scheme(value: &str) -> Cow<'_, str> {
    match value.split_once(' ') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("basic") => {
            format!("Basic {}", rest.trim_start_matches(' ')).into()
        }
        _ => value.into(),
    }
}

impl Caller {
    pub(crate) fn of(shared: &Shared, route: &Route, headers: &HeaderMap, query: &str) -> Self {
        let given = text(headers, "authorization").map(with_normal_scheme);
        let basic = || Self::by(shared, "authorization", given.as_deref(), Account::is_basic);
        let key =
            || Self::by(shared, "x-service-api-key", text(headers, "x-service-api-key"), Account::is_key);
        match route.family {
            Some(Family::Otp) => basic(),
            Some(Family::Sms) => key(),
            Some(Family::Lookup) => {
                let given = query_string::get(query, "key");
                let query = Self::by(shared, "key", given.as_deref(), Account::is_key);
                key().agree(query)
            }
            Some(Family::Messaging) => key().agree(basic()),
            Some(Family::MessengerB) => {
                let name = "x-channel-auth-token";
                Self::by(shared, name, text(headers, name), Account::is_token)
            }
            Some(Family::MessengerC) => Self::by(shared, "bot", Some(route.param("bot_id")), Account::is_bot),
            _ => Self::default(),
        }
    }

    fn by(
        shared: &Shared,
        by: &'static str,
        given: Option<&str>,
        fits: impl Fn(&Account, &str) -> bool,
    ) -> Self {
        let Some(given) = given else { return Self::default() };
        let account = shared.account(given).filter(|account| fits(account, given));
        Self { wrong: account.is_none(), account, by: Some(by) }
    }

    /// Combines two credentials of one request; both must belong to the same account.
    fn agree(self, other: Self) -> Self {
        match (self.by, other.by) {
            (None, _) => other,
            (_, None) => self,
            _ => {
                let same = match (&self.account, &other.account) {
                    (Some(one), Some(two)) => Arc::ptr_eq(one, two),
                    _ => false,
                };
                Self { wrong: !same, account: self.account.filter(|_| same), by: self.by }
            }
        }
    }

    /// Checks the credentials by the rules of the family.
    pub(crate) fn admit(&self, family: Option<Family>, options: &Options) -> ProviderResult<()> {
        let open = family == Some(Family::Messaging)
            && match options.messaging_auth {
                MessagingAuth::Optional | MessagingAuth::None => self.by.is_none(),
                MessagingAuth::Header | MessagingAuth::Basic => false,
            };
        let ignored = family == Some(Family::Messaging) && options.messaging_auth == MessagingAuth::None;
        let scheme = match (family, options.messaging_auth) {
            (Some(Family::Messaging), MessagingAuth::Header) => self.by == Some("x-service-api-key"),
            (Some(Family::Messaging), MessagingAuth::Basic) => self.by == Some("authorization"),
            _ => true,
        };
        if open || ignored || (self.account.is_some() && !self.wrong && scheme) {
            return Ok(());
        }
        Err(match family {
            Some(Family::Otp) => ProviderError::plain(401, "invalid or missing credentials [sandbox]")
                .assuming(AssumptionId(23)),
            Some(Family::Sms | Family::Lookup) => {
                ProviderError::new(401, 901, "wrong or missing API key [sandbox]").assuming(AssumptionId(23))
            }
            Some(Family::MessengerB) => {
                ProviderError::new(200, 2, "invalid or missing token [sandbox]").assuming(AssumptionId(56))
            }
            Some(Family::MessengerC) => ProviderError::plain(401, "no such bot [sandbox]"),
            _ => ProviderError::plain(401, "invalid or missing credentials [sandbox]")
                .assuming(AssumptionId(25)),
        })
    }
}

/// Checks that the address is on the allow list (D24).
pub(crate) fn address(
    family: Option<Family>,
    allowed: &[crate::options::Network],
    peer: IpAddr,
) -> ProviderResult<()> {
    if allowed.is_empty() || allowed.iter().any(|network| network.contains(peer)) {
        return Ok(());
    }
    let code = match family {
        Some(Family::Sms | Family::Lookup) => 903,
        _ => 403,
    };
    Err(ProviderError::new(403, code, "this address is not on the allow list [sandbox]")
        .assuming(AssumptionId(24)))
}

impl Account {
    fn is_basic(&self, given: &str) -> bool {
        self.credentials.basic() == given
    }

    fn is_key(&self, given: &str) -> bool {
        self.credentials.api_key == given || self.credentials.sms_key == given
    }

    fn is_token(&self, given: &str) -> bool {
        self.credentials.messenger_b_token == given
    }

    fn is_bot(&self, given: &str) -> bool {
        self.credentials.bot_id == given || self.credentials.bot_id.strip_prefix("bot") == Some(given)
    }
}
