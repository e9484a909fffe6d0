use crate::macros::model;
use crate::values::{Listed, NumericText};

model! {
    /// How many passcodes a limit lets through (A8). The unit of `interval` and the exact meaning of `max` are not shown.
    pub struct Bucket {
        required {
            /// Its name.
            name: String = "name",
            /// How many.
            max: NumericText = "max",
            /// In which time.
            interval: NumericText = "interval",
        }
    }
}

model! {
    /// A limit (A8).
    pub struct Limit {
        expected {
            /// The id; prefix `LM`.
            sid: String = "sid",
            /// The name, unique in the account.
            name: String = "name",
        }
        optional {
            /// The caps; on the wire a string that holds a JSON array.
            buckets: Listed<Bucket> = "buckets",
            /// What it is for.
            description: String = "description",
            /// The account; prefix `AC`.
            account_sid: String = "accountSid",
            /// `/2fa/limits/search/<sid>`
            uri: String = "uri",
        }
    }
}

model! {
    /// The answer about one limit (A8).
    pub struct LimitResponse {
        expected {
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
    /// The id of the record, where the response has one.
    #[must_use]
    pub fn sid(&self) -> Option<&str> {
        self.data.as_ref()?.sid.as_deref()
    }
}

model! {
    /// The answer of a list of limits (A8).
    pub struct LimitList {
        decides {
            /// The page.
            data: LimitPage = "data",
        }
        expected {
            /// 200 on success.
            code: i64 = "code",
            /// `OK`
            message: String = "message",
        }
    }
}

model! {
    /// One page of limits (A8).
    pub struct LimitPage {
        decides {
            /// The limits.
            result: Vec<Limit> = "result",
        }
        optional {
            /// How many records a page holds.
            page_size: i64 = "pageSize",
            /// How many records there are.
            total: i64 = "total",
            /// Which page this is.
            page: i64 = "page",
            /// How many pages there are.
            num_pages: i64 = "numPages",
            /// The first record on this page.
            start: i64 = "start",
            /// The last record on this page.
            end: i64 = "end",
            /// The first page.
            first_page_uri: String = "firstPageUri",
            /// This page.
            uri: String = "uri",
        }
    }
}
