use super::super::check;
use super::WorkflowList;
use crate::{error::Error, http::HttpRequest, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Evidence, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
};

model! {
    /// Lists workflows, page by page (A9).
    pub struct List {
        optional {
            /// How many records a page holds; the maximum is not shown.
            page_size: i64 = "pageSize",
            /// Which page.
            page: i64 = "page",
            /// Only records of this account or sub-account.
            account_sid: String = "accountSid",
        }
    }
}

impl Operation for List {
    const ID: &'static str = "otp.workflows.list";
    const FAMILY: Family = Family::Otp;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/2fa/workflows/search";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const EVIDENCE: Evidence = Evidence::Record;
    const SECTION: &'static str = "A9";
    type Output = WorkflowList;

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        wire.search(self)
    }
}

impl Validate for List {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::pages(self.page_size, self.page, at, problems);
        check::account_sid(self.account_sid.as_deref(), at, problems);
        members::unknown(self, at, problems);
    }
}
