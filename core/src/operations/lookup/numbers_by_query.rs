use std::borrow::Cow;

use super::LookupResult;
use super::check;
use crate::{
    error::Error,
    http::HttpRequest,
    wire::RequestContext,
    wire::{DecodeError, WireRequest, build},
};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
    values::OneOrMany,
};

model! {
    /// Looks numbers up, the key in the query (C1). Each number is charged.
    ///
    /// The URL carries the key: prefer [`super::Numbers`] where both are available.
    pub struct NumbersByQuery {
        required {
            /// The numbers: on the wire one string, separated by commas.
            msisdn: OneOrMany = "msisdn",
        }
    }
}

impl Operation for NumbersByQuery {
    const ID: &'static str = "lookup.numbers_by_query";
    const FAMILY: Family = Family::Lookup;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/lookup";
    const SAFETY: RetrySafety = RetrySafety::Lookup;
    const EVIDENCE: Evidence = Evidence::Elements;
    const SECTION: &'static str = "C1";
    type Output = Vec<LookupResult>;

    fn expected(&self) -> Expected {
        check::expected(&self.msisdn)
    }

    fn confirm(
        results: &mut Vec<LookupResult>,
        expected: &Expected,
        warnings: &mut Problems,
    ) -> Result<(), Doubt> {
        check::confirm(results, expected, warnings)
    }

    fn prepare(&self, wire: &RequestContext) -> Result<HttpRequest, Error> {
        let mut query =
            wire.lookup_key().map(|key| format!("?key={}", build::encode(key))).unwrap_or_default();
        query.push_str(if query.is_empty() { "?msisdn=" } else { "&msisdn=" });
        query.push_str(&build::encode(&self.msisdn.as_slice().join(",")).replace("%2C", ","));
        build::push_query(&mut query, self.extra.iter());
        let mut request = wire.request::<Self>(&format!("{}{query}", Self::PATH))?;
        request.headers.clear();
        Ok(request)
    }

    fn decode_request<'a>(request: &WireRequest<'a>) -> Result<Cow<'a, str>, DecodeError> {
        let mut members = request.merged::<Self>()?;
        members.remove("key");
        members.into_json()
    }
}

impl Validate for NumbersByQuery {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::numbers(&self.msisdn, true, at, problems);
        members::unknown(self, at, problems);
    }
}
