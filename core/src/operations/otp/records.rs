use crate::macros::{model, open_enum};

open_enum! {
    /// How a passcode reaches its recipient (A1, A5, A7).
    pub enum OtpChannel {
        /// By SMS.
        Sms = "sms",
        /// By a text-to-speech call.
        Call = "call",
    }
}

open_enum! {
    /// The state of a passcode (A5); the specification shows two.
    pub enum OtpStatus {
        /// A right code was submitted.
        Success = "success",
        /// Its time ended.
        Expired = "expired",
    }
}

open_enum! {
    /// Whether a submitted code was the right one (A5).
    pub enum CheckStatus {
        /// It was.
        Valid = "valid",
        /// It was not.
        Invalid = "invalid",
    }
}

open_enum! {
    /// What became of one delivery (A5); the specification shows two.
    pub enum EventStatus {
        /// `failed`
        Failed = "failed",
        /// `undelivered`
        Undelivered = "undelivered",
    }
}

model! {
    /// The answer to send, verify and cancel (A2).
    pub struct OtpResponse {
        decides {
            /// 200 on success.
            code: i64 = "code",
        }
        expected {
            /// `OK`, or `canceled` after a cancel.
            message: String = "message",
        }
        optional {
            /// The id of the passcode, prefix `OTP`; null in error bodies.
            request_id: String = "requestID",
        }
    }
}

impl OtpResponse {
    /// Whether the code is that of success: 200. For a verify, whether the submitted code was the right one.
    #[must_use]
    pub const fn is_ok(&self) -> bool {
        self.code == 200
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
            /// When it was made: `YYYY-MM-DD HH:MM:SS`.
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
            /// Whether it was the right one.
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
            /// When it was made: `YYYY-MM-DD HH:MM:SS`.
            date_created: String = "dateCreated",
            /// Over which channel.
            channel: OtpChannel = "channel",
            /// The sender.
            sender: String = "sender",
            /// The recipient.
            recipient: String = "recipient",
            /// The id of the message or call; prefix `SM`.
            target_sid: String = "targetSid",
            /// What became of it.
            channel_status: EventStatus = "channelStatus",
            /// The channel's error code.
            channel_error_code: String = "channelErrorCode",
            /// What the channel says of the error.
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

model! {
    /// The answer of the usage operations (A7).
    pub struct UsageRecords {
        decides {
            /// The records; one a day in the daily form.
            usage_records: Vec<UsageRecord> = "usageRecords",
        }
    }
}

model! {
    /// How many passcodes were sent (A7). Filtered by a channel, the answer has `category`, `startDate` and
    /// `endDate` where it otherwise has `channel`, `startTime` and `endTime`.
    pub struct UsageRecord {
        expected {
            /// The count: numeric text.
            count: String = "count",
        }
        optional {
            /// `All`, or `call` for voice.
            channel: String = "channel",
            /// The channel, in the filtered form.
            category: String = "category",
            /// What is counted.
            description: String = "description",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// The first day: `YYYY-MM-DD`.
            start_time: String = "startTime",
            /// The last day: `YYYY-MM-DD`.
            end_time: String = "endTime",
            /// The first day, in the filtered form.
            start_date: String = "startDate",
            /// The last day, in the filtered form.
            end_date: String = "endDate",
            /// `OTP`, or `Calls` in the filtered form.
            unit: String = "unit",
            /// Where the record is read.
            uri: String = "uri",
        }
    }
}
