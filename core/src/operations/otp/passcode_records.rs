//! Reads one record of a passcode (A5), or pages of records (A6).

use super::{Code, OtpChannel, RequestId, otp_rules};
use crate::error::Error;
use crate::http::HttpRequest;
use crate::model::{model, open_enum};
use crate::operation::{
    Family, ListOperation, Method, Operation, ResponseExpectation, RetrySafety, SuccessMarker, Unconfirmed,
};
use crate::problem::{Pointer, Problems, Validate};
use crate::request::RequestContext;
use crate::rules::unknown_members;

model! {
    /// Lists one-time passcodes, page by page (A6).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::SearchPasscodes;
    /// # use cpaas::otp::SendPasscode;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # let sent = client.call(SendPasscode::new("login", "Acme", "306912345678", "Your code is {code}")).await?;
    /// # let request_id = sent.request_id.clone().ok_or("no request id")?;
    /// let page = client.call(SearchPasscodes::new().page_size(20)).await?;
    /// for record in &page.records {
    ///     println!("{:?}: {:?}", record.sid, record.status);
    /// }
    /// # assert_eq!(page.records.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub struct SearchPasscodes {
        optional {
            /// The number of records on a page; the maximum is not documented.
            page_size: i64 = "pageSize" in query,
            /// The number of the page.
            page: i64 = "page" in query,
            /// Only records of this status, such as `success`.
            status: OtpStatus = "status" in query where Shown,
            /// Only records of this account or sub-account.
            account_sid: String = "accountSid" in query,
        }
    }
}

impl Operation for SearchPasscodes {
    const ID: &'static str = "otp.search";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/search";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "A6";
    type Output = OtpRecords;

    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        context.encode_search(&Self::META, self)
    }
}

impl ListOperation for SearchPasscodes {}

impl Validate for SearchPasscodes {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::pages(self.page_size, self.page, at, problems);
        otp_rules::account_sid(self.account_sid.as_deref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Reads the record of one passcode (A5).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::otp::GetPasscode;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// # use cpaas::otp::SendPasscode;
    /// # let sent = client.call(SendPasscode::new("login", "Acme", "306912345678", "Your code is {code}")).await?;
    /// # let request_id = sent.request_id.clone().ok_or("no request id")?;
    /// let record = client.call(GetPasscode::new(request_id)).await?;
    /// println!("{:?}", record.status);
    /// # assert!(record.status.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetPasscode {
        required {
            /// The id of the record; prefix `OTP`.
            sid: RequestId = "sid" in path where Shown & NotBlank,
        }
    }
}

impl Operation for GetPasscode {
    const ID: &'static str = "otp.get";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/search/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "A5";
    type Output = OtpRecord;

    fn expected(&self) -> ResponseExpectation {
        ResponseExpectation::record(self.sid.as_str())
    }

    fn confirm(
        record: &mut OtpRecord,
        expected: &ResponseExpectation,
        _: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        expected.check_id(record.sid.as_ref().map(RequestId::as_str))
    }
}

impl Validate for GetPasscode {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(self.sid.as_str(), "OTP", at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

open_enum! {
    /// The state of a passcode (A5); two values are documented.
    pub enum OtpStatus {
        /// A valid code was submitted.
        Success = "success",
        /// The passcode expired.
        Expired = "expired",
    }
}

open_enum! {
    /// Whether a submitted code was valid (A5).
    pub enum CheckStatus {
        /// The code was valid.
        Valid = "valid",
        /// The code was invalid.
        Invalid = "invalid",
    }
}

open_enum! {
    /// The status of one delivery (A5); two values are documented.
    pub enum EventStatus {
        /// `failed`
        Failed = "failed",
        /// `undelivered`
        Undelivered = "undelivered",
    }
}

model! {
    /// The record of one passcode (A5).
    pub struct OtpRecord {
        documented {
            /// The id; prefix `OTP`.
            sid: RequestId = "sid" where Shown,
            /// The state of the passcode.
            status: OtpStatus = "status" where Shown,
        }
        optional {
            /// The service identifier.
            service: String = "service",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// The time of creation: `YYYY-MM-DD HH:MM:SS`.
            date_created: String = "dateCreated" where Shown & Moment,
            /// The time of the last change: `YYYY-MM-DD HH:MM:SS`.
            date_updated: String = "dateUpdated" where Shown & Moment,
            /// `/2fa/search/<sid>`
            uri: String = "uri",
            /// The codes that were submitted.
            checks: Vec<OtpCheck> = "checks",
            /// The deliveries.
            events: Vec<OtpEvent> = "events",
        }
    }
}

model! {
    /// One submitted code (A5).
    pub struct OtpCheck {
        documented {
            /// The id; prefix `OTC`.
            sid: String = "sid" where Shown,
            /// Whether the code was valid.
            status: CheckStatus = "status" where Shown,
        }
        optional {
            /// The time of submission: `YYYY-MM-DD HH:MM:SS`.
            date_received: String = "dateReceived" where Shown & Moment,
            /// The submitted code.
            code: Code = "code",
        }
    }
}

model! {
    /// One delivery of a passcode (A5).
    pub struct OtpEvent {
        documented {
            /// The id; prefix `OTE`.
            sid: String = "sid" where Shown,
        }
        optional {
            /// The time of creation: `YYYY-MM-DD HH:MM:SS`.
            date_created: String = "dateCreated" where Shown & Moment,
            /// The channel.
            channel: OtpChannel = "channel" where Shown,
            /// The sender.
            sender: String = "sender",
            /// The recipient.
            recipient: String = "recipient",
            /// The id of the message or call; prefix `SM`.
            target_sid: String = "targetSid" where Shown,
            /// The status of the delivery.
            channel_status: EventStatus = "channelStatus" where Shown,
            /// The channel's error code.
            channel_error_code: String = "channelErrorCode",
            /// The channel's error message.
            channel_error_message: String = "channelErrorMessage",
        }
    }
}

model! {
    /// One page of records (A6).
    pub struct OtpRecords {
        verdict {
            /// The records.
            records: Vec<OtpRecord> = "twoFaOtpSdrs",
        }
        optional {
            /// The number of this page.
            page: i64 = "page",
            /// The number of pages.
            num_pages: i64 = "num_pages",
            /// The number of records on a page.
            page_size: i64 = "page_size",
            /// The total number of records.
            total: i64 = "total",
            /// The number of the first record on this page.
            start: i64 = "start",
            /// The number of the last record on this page.
            end: i64 = "end",
            /// The URI of this page.
            uri: String = "uri",
            /// The URI of the first page.
            first_page_uri: String = "first_page_uri",
            /// The URI of the previous page; absent on the first page.
            previous_page_uri: String = "previous_page_uri",
            /// The URI of the next page; absent on the last page.
            next_page_uri: String = "next_page_uri",
        }
    }
}
