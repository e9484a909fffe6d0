//! The number of passcodes sent (A7).

use super::{OtpChannel, otp_rules};
use crate::model::model;
use crate::operation::{Family, Method, Operation, RetrySafety, SuccessMarker};
use crate::problem::{Pointer, Problems, Validate};
use crate::rules::unknown_members;

model! {
    /// Counts passcodes over a range of days (A7).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::GetUsage;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let usage = client.call(GetUsage::new().start_date("2026-01-01").end_date("2026-01-31")).await?;
    /// for record in &usage.usage_records {
    ///     println!("{:?} passcodes", record.count);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetUsage {
        optional {
            /// The first day: `YYYY-MM-DD`.
            start_date: String = "startDate" in query where Shown & Date,
            /// The last day: `YYYY-MM-DD`.
            end_date: String = "endDate" in query where Shown & Date,
            /// Only passcodes of this channel.
            channel: OtpChannel = "channel" in query where Shown,
        }
    }
}

impl Operation for GetUsage {
    const ID: &'static str = "otp.usage";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/usage/records";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "A7";
    type Output = UsageRecords;
}

impl Validate for GetUsage {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let (start, end) = (self.start_date.as_deref(), self.end_date.as_deref());
        otp_rules::usage(start, end, self.channel.as_ref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Counts passcodes day by day (A7).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::GetDailyUsage;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let usage = client.call(GetDailyUsage::new().start_date("2026-01-01").end_date("2026-01-31")).await?;
    /// for day in &usage.usage_records {
    ///     println!("{:?}: {:?}", day.start_time, day.count);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetDailyUsage {
        optional {
            /// The first day: `YYYY-MM-DD`.
            start_date: String = "startDate" in query where Shown & Date,
            /// The last day: `YYYY-MM-DD`.
            end_date: String = "endDate" in query where Shown & Date,
            /// Only passcodes of this channel.
            channel: OtpChannel = "channel" in query where Shown,
        }
    }
}

impl Operation for GetDailyUsage {
    const ID: &'static str = "otp.usage_daily";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/usage/records/daily";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "A7";
    type Output = UsageRecords;
}

impl Validate for GetDailyUsage {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let (start, end) = (self.start_date.as_deref(), self.end_date.as_deref());
        otp_rules::usage(start, end, self.channel.as_ref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// The response to the usage operations (A7).
    pub struct UsageRecords {
        verdict {
            /// The records; `otp.usage_daily` returns one for each day.
            usage_records: Vec<UsageRecord> = "usageRecords",
        }
    }
}

model! {
    /// The number of passcodes sent (A7). If the request filters by channel, the response contains `category`, `startDate` and
    /// `endDate` instead of `channel`, `startTime` and `endTime`.
    pub struct UsageRecord {
        documented {
            /// The count, as numeric text.
            count: String = "count" where Shown,
        }
        optional {
            /// `All`, or `call` for voice.
            channel: String = "channel" where Shown,
            /// The channel, in the filtered form.
            category: String = "category" where Shown,
            /// A description of what is counted.
            description: String = "description",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// The first day: `YYYY-MM-DD`.
            start_time: String = "startTime" where Shown,
            /// The last day: `YYYY-MM-DD`.
            end_time: String = "endTime" where Shown,
            /// The first day, in the filtered form.
            start_date: String = "startDate" where Shown,
            /// The last day, in the filtered form.
            end_date: String = "endDate" where Shown,
            /// `OTP`, or `Calls` in the filtered form.
            unit: String = "unit" where Shown,
            /// The URI of the record.
            uri: String = "uri",
        }
    }
}
