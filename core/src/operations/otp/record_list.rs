//! The macro that declares an operation that lists records, page by page. Limits (A8) and workflows (A9) use it.

/// Declares the operation that lists records, its response and the page in the response.
macro_rules! record_list {
    (
        $(#[doc = $list_doc:literal])*
        $list:ident {
            const ID: &'static str = $id:literal;
            const PATH: &'static str = $path:literal;
            const SECTION: &'static str = $section:literal;
        }
        $(#[doc = $response_doc:literal])*
        $response:ident
        $(#[doc = $page_doc:literal])*
        $page:ident {
            $(#[doc = $records_doc:literal])*
            $record:ident
        }
    ) => {
        model! {
            $(#[doc = $list_doc])*
            pub struct $list {
                optional {
                    /// The number of records on a page; the maximum is not documented.
                    page_size: i64 = "pageSize" in query,
                    /// The number of the page.
                    page: i64 = "page" in query,
                    /// Only records of this account or sub-account.
                    account_sid: String = "accountSid" in query,
                }
            }
        }

        impl $crate::operation::Operation for $list {
            const ID: &'static str = $id;
            const FAMILY: $crate::http::Family = $crate::http::Family::Otp;
            const METHOD: $crate::http::Method = $crate::http::Method::Get;
            const PATH: &'static str = $path;
            const SAFETY: $crate::operation::RetrySafety = $crate::operation::RetrySafety::Read;
            const SUCCESS_MARKER: $crate::operation::SuccessMarker = $crate::operation::SuccessMarker::Record;
            const SECTION: &'static str = $section;
            type Output = $response;

            fn encode_request(
                &self,
                context: &$crate::request::RequestContext,
            ) -> Result<$crate::http::HttpRequest, $crate::error::Error> {
                context.encode_search(&Self::META, self)
            }
        }

        impl $crate::operation::ListOperation for $list {}

        impl $crate::problem::Validate for $list {
            fn check(&self, at: &$crate::problem::Pointer<'_>, problems: &mut $crate::problem::Problems) {
                otp_rules::pages(self.page_size, self.page, at, problems);
                otp_rules::account_sid(self.account_sid.as_deref(), at, problems);
                unknown_members::unknown(self, at, problems);
            }
        }

        model! {
            $(#[doc = $response_doc])*
            pub struct $response {
                verdict {
                    /// The page.
                    data: $page = "data",
                }
                documented {
                    /// 200 on success.
                    code: i64 = "code",
                    /// `OK`
                    message: String = "message",
                }
            }
        }

        model! {
            $(#[doc = $page_doc])*
            pub struct $page {
                verdict {
                    $(#[doc = $records_doc])*
                    result: Vec<$record> = "result",
                }
                optional {
                    /// The number of records on a page.
                    page_size: i64 = "pageSize",
                    /// The total number of records.
                    total: i64 = "total",
                    /// The number of this page.
                    page: i64 = "page",
                    /// The number of pages.
                    num_pages: i64 = "numPages",
                    /// The number of the first record on this page.
                    start: i64 = "start",
                    /// The number of the last record on this page.
                    end: i64 = "end",
                    /// The URI of the first page.
                    first_page_uri: String = "firstPageUri",
                    /// The URI of this page.
                    uri: String = "uri",
                }
            }
        }
    };
}

pub(super) use record_list;
