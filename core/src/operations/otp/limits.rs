//! Limits on the number of passcodes, for example for a phone number or an IP address (A8).

use super::otp_rules::{self, required};
use super::record_creation;
use super::record_list::record_list;
use crate::member_types::{Listed, NumericText};
use crate::model::model;
use crate::operation::{
    Family, Method, Operation, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
};
use crate::problem::{Code, Pointer, Problems, Validate, codes};
use crate::provider_codes::{LIMIT_EXISTS, UNKNOWN_LIMIT};
use crate::reconcile::{Gone, Reconcile};
use crate::request::RequestContext;
use crate::rules::unknown_members;

model! {
    /// Creates a limit (A8). The name must be unique: the provider rejects an existing name with code 492.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::limits::{Bucket, CreateLimit};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let bucket = Bucket::new("hourly", 3, 3600);
    /// let created = client.call(CreateLimit::new("limit_on_phone", vec![bucket], "Three an hour")).await?;
    /// println!("{:?}", created.sid());
    /// # assert!(created.sid().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub struct CreateLimit {
        required {
            /// The name, unique in the account.
            name: String = "name" where NotBlank,
            /// The buckets: an array, or a string that contains it as JSON. A request sends the string.
            buckets: Listed<Bucket> = "buckets" as json_string ! OTP_LIST_TYPE where MinItems(1),
            /// A description.
            description: String = "description" where NotBlank,
        }
    }
}

impl Operation for CreateLimit {
    const ID: &'static str = "otp.limits.create";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/2fa/limits";
    const SAFETY: RetrySafety = RetrySafety::Create;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A8";
    const STATUSES: &'static [u16] = &[409, 492];
    type Output = LimitResponse;

    fn confirm(
        response: &mut LimitResponse,
        _: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        record_creation::created(response.sid())
    }

    fn ids(response: &LimitResponse) -> Vec<&str> {
        response.sid().into_iter().collect()
    }

    fn reconcile(&self, context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        let list = |page| ListLimits { page, ..ListLimits::default() };
        Some(record_creation::search_by_name(self, &self.name, list, context, LIMIT_EXISTS))
    }
}

impl Validate for CreateLimit {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        required(&self.name, &codes::OTP_LIMIT_NAME_REQUIRED, at, "name", problems);
        if self.buckets.is_empty() {
            problems.add_key(&codes::OTP_LIMIT_BUCKETS_REQUIRED, at, "buckets");
        }
        check_buckets(&self.buckets, &at.key("buckets"), problems);
        required(&self.description, &codes::OTP_LIMIT_DESCRIPTION_REQUIRED, at, "description", problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Changes a limit (A8). An omitted member is not changed. The provider rejects an unknown sid with code 493.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::limits::UpdateLimit;
    /// # use cpaas::otp::limits::{Bucket, CreateLimit};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let limit = CreateLimit::new("limit_on_phone", vec![Bucket::new("hourly", 3, 3600)], "Three an hour");
    /// # let sid = client.call(limit).await?.sid().ok_or("no sid")?.to_owned();
    /// client.call(UpdateLimit::new(sid).description("Three an hour to one number")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct UpdateLimit {
        required {
            /// The id; prefix `LM`.
            sid: String = "sid" in path where Shown & NotBlank,
        }
        optional {
            /// The buckets: an array, or a string that contains it as JSON. A request sends the string.
            buckets: Listed<Bucket> = "buckets" as json_string ! OTP_LIST_TYPE,
            /// A description.
            description: String = "description",
        }
    }
}

impl Operation for UpdateLimit {
    const ID: &'static str = "otp.limits.update";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Put;
    const PATH: &'static str = "/2fa/limits/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A8";
    const STATUSES: &'static [u16] = &[493];
    type Output = LimitResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(&self.sid)
    }

    fn confirm(
        response: &mut LimitResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_optional_id(response.sid())
    }
}

impl Validate for UpdateLimit {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "LM", at, problems);
        if self.buckets.is_none() && self.description.is_none() && self.extra.is_empty() {
            problems.add(&codes::OTP_UPDATE_EMPTY, at);
        }
        if let Some(buckets) = &self.buckets {
            check_buckets(buckets, &at.key("buckets"), problems);
        }
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Deletes a limit and returns it (A8).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::limits::DeleteLimit;
    /// # use cpaas::otp::limits::{Bucket, CreateLimit};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let limit = CreateLimit::new("limit_on_phone", vec![Bucket::new("hourly", 3, 3600)], "Three an hour");
    /// # let sid = client.call(limit).await?.sid().ok_or("no sid")?.to_owned();
    /// client.call(DeleteLimit::new(sid)).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub struct DeleteLimit {
        required {
            /// The id; prefix `LM`.
            sid: String = "sid" in path where Shown & NotBlank,
        }
    }
}

impl Operation for DeleteLimit {
    const ID: &'static str = "otp.limits.delete";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Delete;
    const PATH: &'static str = "/2fa/limits/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Idempotent;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Code;
    const SECTION: &'static str = "A8";
    const STATUSES: &'static [u16] = &[493];
    type Output = LimitResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(&self.sid)
    }

    fn confirm(
        response: &mut LimitResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_optional_id(response.sid())
    }

    fn reconcile(&self, _context: &RequestContext) -> Option<Box<dyn Reconcile>> {
        Some(Box::new(Gone::new(UNKNOWN_LIMIT)))
    }
}

impl Validate for DeleteLimit {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "LM", at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

record_list! {
    /// Lists limits, page by page (A8).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::limits::ListLimits;
    /// # use cpaas::otp::limits::{Bucket, CreateLimit};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let limit = CreateLimit::new("limit_on_phone", vec![Bucket::new("hourly", 3, 3600)], "Three an hour");
    /// # let sid = client.call(limit).await?.sid().ok_or("no sid")?.to_owned();
    /// let page = client.call(ListLimits::new().page_size(20)).await?;
    /// for limit in &page.data.result {
    ///     println!("{:?}: {:?}", limit.sid, limit.name);
    /// }
    /// # assert_eq!(page.data.result.len(), 1, "{sid}");
    /// # Ok(())
    /// # }
    /// ```
    ListLimits {
        const ID: &'static str = "otp.limits.list";
        const PATH: &'static str = "/2fa/limits/search";
        const SECTION: &'static str = "A8";
    }
    /// The response to a list of limits (A8).
    LimitList
    /// One page of limits (A8).
    LimitPage {
        /// The limits.
        Limit
    }
}

model! {
    /// Reads one limit (A8).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::limits::GetLimit;
    /// # use cpaas::otp::limits::{Bucket, CreateLimit};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let limit = CreateLimit::new("limit_on_phone", vec![Bucket::new("hourly", 3, 3600)], "Three an hour");
    /// # let sid = client.call(limit).await?.sid().ok_or("no sid")?.to_owned();
    /// let found = client.call(GetLimit::new(sid)).await?;
    /// println!("{:?}", found.data);
    /// # assert!(found.sid().is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetLimit {
        required {
            /// The id; prefix `LM`.
            sid: String = "sid" in path where Shown & NotBlank,
        }
    }
}

impl Operation for GetLimit {
    const ID: &'static str = "otp.limits.get";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/limits/search/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "A8";
    const STATUSES: &'static [u16] = &[493];
    type Output = LimitResponse;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(&self.sid)
    }

    fn confirm(
        response: &mut LimitResponse,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_id(response.sid())
    }
}

impl Validate for GetLimit {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "LM", at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// The number of passcodes that a limit allows (A8). The unit of `interval` and the exact meaning of `max` are undocumented.
    pub struct Bucket {
        required {
            /// The name of the bucket.
            name: String = "name" where NotBlank,
            /// The number of passcodes that the limit allows in one interval (A8).
            max: NumericText = "max" where Shown,
            /// The interval (A8). The specification names no unit; the sandbox uses seconds.
            interval: NumericText = "interval" where Shown,
        }
    }
}

model! {
    /// A limit (A8).
    pub struct Limit {
        documented {
            /// The id; prefix `LM`.
            sid: String = "sid" where Shown,
            /// The name, unique in the account.
            name: String = "name",
        }
        optional {
            /// The buckets: an array, or a string that contains the array as JSON.
            buckets: Listed<Bucket> = "buckets" as json_string,
            /// A description.
            description: String = "description",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// `/2fa/limits/search/<sid>`
            uri: String = "uri",
        }
    }
}

model! {
    /// The response about one limit (A8).
    pub struct LimitResponse {
        documented {
            /// The limit.
            data: Limit = "data",
            /// 200 on success.
            code: i64 = "code",
            /// `OK`
            message: String = "message",
        }
    }
}

impl LimitResponse {
    /// The id of the limit, if the response contains one.
    #[must_use]
    pub fn sid(&self) -> Option<&str> {
        self.data.as_ref()?.sid.as_deref()
    }
}

/// Checks the buckets of a limit.
fn check_buckets(buckets: &Listed<Bucket>, at: &Pointer<'_>, problems: &mut Problems) {
    if buckets.is_unreadable() {
        problems.add(&codes::OTP_LIST_TYPE, at);
    }
    for (index, bucket) in buckets.items().iter().enumerate() {
        let at = &at.index(index);
        required(&bucket.name, &codes::OTP_BUCKET_NAME_REQUIRED, at, "name", problems);
        number(&bucket.max, &codes::OTP_BUCKET_MAX_REQUIRED, at, "max", problems);
        number(&bucket.interval, &codes::OTP_BUCKET_INTERVAL_REQUIRED, at, "interval", problems);
        unknown_members::unknown(bucket, at, problems);
    }
}

fn number(text: &NumericText, missing: &'static Code, at: &Pointer<'_>, name: &str, problems: &mut Problems) {
    let is_set = required(text.as_str(), missing, at, name, problems);
    if is_set && text.as_i64().is_none_or(|value| value < 1) {
        problems.add_key(&codes::OTP_BUCKET_NUMBER, at, name);
    }
}
