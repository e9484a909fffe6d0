//! Records of passcodes: one (A5), and pages of them (A6).

use super::{OtpChannel, otp_rules};
use crate::error::Error;
use crate::http::HttpRequest;
use crate::model::{model, open_enum};
use crate::operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate};
use crate::problem::{Pointer, Problems};
use crate::request::RequestContext;
use crate::rules::unknown_members;

model! {
    /// Lists one-time passcodes, page by page (A6).
    pub struct Search {
        optional {
            /// How many records a page holds; the maximum is not documented.
            page_size: i64 = "pageSize" in query,
            /// Which page.
            page: i64 = "page" in query,
            /// Only records of this status, such as `success`.
            status: OtpStatus = "status" in query,
            /// Only records of this account or sub-account.
            account_sid: String = "accountSid" in query,
        }
    }
}

impl Operation for Search {
    const ID: &'static str = "otp.search";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/search";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Record;
    const SECTION: &'static str = "A6";
    type Output = OtpRecords;

    fn prepare(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        context.encode_search(&Self::META, self)
    }
}

impl Validate for Search {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::pages(self.page_size, self.page, at, problems);
        otp_rules::account_sid(self.account_sid.as_deref(), at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Reads the record of one passcode (A5).
    pub struct Get {
        required {
            /// The id of the record; prefix `OTP`.
            sid: String = "sid" in path,
        }
    }
}

impl Operation for Get {
    const ID: &'static str = "otp.get";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/search/{sid}";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Record;
    const SECTION: &'static str = "A5";
    type Output = OtpRecord;

    fn expected(&self) -> Expected {
        Expected::record(&self.sid)
    }

    fn confirm(record: &mut OtpRecord, expected: &Expected, _: &mut Problems) -> Result<(), Doubt> {
        record.sid.as_deref().map_or(Err(Doubt::Missing), |sid| expected.names(sid))
    }
}

impl Validate for Get {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        otp_rules::sid(&self.sid, "OTP", at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

open_enum! {
    /// The state of a passcode (A5); two values are documented.
    pub enum OtpStatus {
        /// A valid code was submitted.
        Success = "success",
        /// It expired.
        Expired = "expired",
    }
}

open_enum! {
    /// Whether a submitted code was valid (A5).
    pub enum CheckStatus {
        /// It was.
        Valid = "valid",
        /// It was not.
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
        expected {
            /// The id; prefix `OTP`.
            sid: String = "sid",
            /// Its state.
            status: OtpStatus = "status",
        }
        optional {
            /// The service identifier.
            service: String = "service",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// When it was created: `YYYY-MM-DD HH:MM:SS`.
            date_created: String = "dateCreated",
            /// When it changed last: `YYYY-MM-DD HH:MM:SS`.
            date_updated: String = "dateUpdated",
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
        expected {
            /// The id; prefix `OTC`.
            sid: String = "sid",
            /// Whether it was valid.
            status: CheckStatus = "status",
        }
        optional {
            /// When it was submitted: `YYYY-MM-DD HH:MM:SS`.
            date_received: String = "dateReceived",
            /// The code as it was submitted.
            code: String = "code",
        }
    }
}

model! {
    /// One delivery of a passcode (A5).
    pub struct OtpEvent {
        expected {
            /// The id; prefix `OTE`.
            sid: String = "sid",
        }
        optional {
            /// When it was created: `YYYY-MM-DD HH:MM:SS`.
            date_created: String = "dateCreated",
            /// Over which channel.
            channel: OtpChannel = "channel",
            /// The sender.
            sender: String = "sender",
            /// The recipient.
            recipient: String = "recipient",
            /// The id of the message or call; prefix `SM`.
            target_sid: String = "targetSid",
            /// Its status.
            channel_status: EventStatus = "channelStatus",
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
        decides {
            /// The records.
            records: Vec<OtpRecord> = "twoFaOtpSdrs",
        }
        optional {
            /// Which page this is.
            page: i64 = "page",
            /// How many pages there are.
            num_pages: i64 = "num_pages",
            /// How many records a page holds.
            page_size: i64 = "page_size",
            /// How many records there are.
            total: i64 = "total",
            /// The first record on this page.
            start: i64 = "start",
            /// The last record on this page.
            end: i64 = "end",
            /// This page.
            uri: String = "uri",
            /// The first page.
            first_page_uri: String = "first_page_uri",
            /// The page before; none on the first one.
            previous_page_uri: String = "previous_page_uri",
            /// The page after; none on the last one.
            next_page_uri: String = "next_page_uri",
        }
    }
}
