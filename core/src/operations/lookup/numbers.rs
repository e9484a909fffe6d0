use super::LookupResult;
use super::check;
use crate::{error::Error, http::HttpRequest, wire::RequestContext};
use crate::{
    macros::model,
    operation::{Doubt, Evidence, Expected, Family, Method, Operation, RetrySafety, Validate},
    problem::{Pointer, Problems},
    rules::members,
    values::OneOrMany,
};

model! {
    /// Looks numbers up, the key in a header (C1). One number goes as a string, several as an array; each is charged.
    pub struct Numbers {
        required {
            /// The numbers.
            msisdn: OneOrMany = "msisdn",
        }
    }
}

impl Operation for Numbers {
    const ID: &'static str = "lookup.numbers";
    const FAMILY: Family = Family::Lookup;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/lookup.json";
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
        wire.request::<Self>(Self::PATH)?.json(self)
    }
}

impl Validate for Numbers {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check::numbers(&self.msisdn, false, at, problems);
        members::unknown(self, at, problems);
    }
}
