//! The result of an accepted call.

use std::fmt;
use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::error::Error;
use crate::http::HttpResponse;
use crate::problem::Problem;
use crate::redact;
use crate::schema::HasKind;

/// An accepted response, before its value is added.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) response: HttpResponse,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) attempts: u32,
    pub(crate) call_id: String,
    /// The id that names the whole request, if the provider created one.
    pub(crate) id: Option<String>,
    /// The error of a typed call if the response reports that a passcode is not valid.
    pub(crate) not_verified: Option<Error>,
    /// The error of the attempt whose result was read from the provider's records.
    pub(crate) reconciled: Option<Error>,
}

/// The result of an accepted call: the typed value of the response, with warnings and the raw response.
///
/// Dereferences to the value: `response.id` is `response.value.id`. `==` compares all fields except `call_id`.
#[derive(Clone)]
#[non_exhaustive]
pub struct Response<T> {
    /// The value of the response.
    pub value: T,
    /// Warnings about the request, from validation, and about the response: missing and unreadable members, a repeated id, a
    /// result that was read from the provider's records.
    pub warnings: Vec<Problem>,
    /// The number of attempts, at least 1.
    pub attempts: u32,
    /// The id of the call, the same as in its log lines and in the events of hooks: 32 hexadecimal digits. Empty if another HTTP client
    /// sent the request.
    pub call_id: String,
    /// The HTTP response as received.
    pub raw: HttpResponse,
    /// The error of the attempt whose result was read from the provider's records: for a caller that knows whose record it is.
    #[doc(hidden)]
    pub reconciled: Option<Error>,
}

impl<T> Response<T> {
    pub(crate) fn new(value: T, accepted: Accepted) -> Self {
        Self {
            value,
            warnings: accepted.warnings,
            attempts: accepted.attempts,
            call_id: accepted.call_id,
            raw: accepted.response,
            reconciled: accepted.reconciled,
        }
    }
}

impl<T> Response<T> {
    /// The value alone.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl Response<Value> {
    /// Reads the value of a raw call as a type of the program. The call was accepted in any case: an error states only that the value
    /// does not fit the type, and the value stays available.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// # use cpaas::client::{Client, RawCall};
    /// # use cpaas::http::{Family, HttpRequest, HttpResponse, Method};
    /// # let config = cpaas::Config::default().otp_url("https://otp.example").account_sid("AC1").api_key("key");
    /// # let client = Client::with_transport(&config, |_: HttpRequest| async {
    /// #     Ok(HttpResponse::new(200, vec![], r#"{"balance":"12.50"}"#))
    /// # })?;
    /// #[derive(serde::Deserialize)]
    /// struct Account {
    ///     balance: String,
    /// }
    /// let response = client.call_raw(RawCall::new(Method::Get, Family::Otp, "/account")).await?;
    /// let account: Account = response.json()?;
    /// assert_eq!(account.balance, "12.50");
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    ///
    /// # Errors
    /// The error of serde_json. Its text may quote a value of the response.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.value)
    }
}

/// Serializes as its value, as `cpaas_call` of the C library writes it.
impl<T: Serialize> Serialize for Response<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<T: PartialEq> PartialEq for Response<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
            && self.warnings == other.warnings
            && self.attempts == other.attempts
            && self.raw == other.raw
            && self.reconciled == other.reconciled
    }
}

impl<T> Deref for Response<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// `Debug` shows models, which redact strings and numbers themselves. It does not show values that are strings or JSON.
impl<T: fmt::Debug + HasKind> fmt::Debug for Response<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hidden = format_args!("…");
        let value: &dyn fmt::Debug = if redact::shows_kind(T::KIND) { &self.value } else { &hidden };
        f.debug_struct("Response")
            .field("value", value)
            .field("warnings", &self.warnings)
            .field("attempts", &self.attempts)
            .field("call_id", &self.call_id)
            .field("raw", &self.raw)
            .finish()
    }
}
