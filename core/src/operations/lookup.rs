//! Network, porting, roaming and reachability of numbers.

use std::borrow::Cow;

use crate::error::Error;
use crate::http::HttpRequest;
use crate::member_types::OneOrMany;
use crate::model::model;
use crate::operation::{
    Family, Method, Operation, RecipientMatch, Recipients, ResponseExpectation, RetrySafety, SuccessMarker,
    Unconfirmed,
};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::request::{IncomingRequest, RequestContext, RequestDecodeError, encoding};
use crate::rules::{formats, unknown_members};

model! {
    /// Looks up numbers, with the key in a header (C1). One number is sent as a string, several as an array. Each number is
    /// charged.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::lookup::LookUpNumbers;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let results = client.call(LookUpNumbers::new(["306912345678", "306912345679"])).await?;
    /// for number in results.iter() {
    ///     println!("{:?} is of {:?}", number.msisdn, number.original_network);
    /// }
    /// # assert_eq!(results.len(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub struct LookUpNumbers {
        required {
            /// The numbers.
            msisdn: OneOrMany = "msisdn" where Phone,
        }
    }
}

impl Operation for LookUpNumbers {
    const ID: &'static str = "lookup.numbers";
    const FAMILY: Family = Family::Lookup;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/lookup.json";
    const SAFETY: RetrySafety = RetrySafety::Lookup;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Elements;
    const SECTION: &'static str = "C1";
    type Output = Vec<LookupResult>;

    fn expected(&self) -> ResponseExpectation {
        expected_numbers(&self.msisdn)
    }

    fn confirm(
        results: &mut Vec<LookupResult>,
        expected: &ResponseExpectation,
        warnings: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        confirm_numbers(results, expected, warnings)
    }
}

impl Validate for LookUpNumbers {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check_numbers(&self.msisdn, false, at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// Looks up numbers, with the key in the query (C1). Each number is charged.
    ///
    /// The URL contains the key: prefer `lookup.numbers` if both are available.
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::lookup::LookUpNumbersByQuery;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let results = client.call(LookUpNumbersByQuery::new("306912345678")).await?;
    /// # assert_eq!(results.len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub struct LookUpNumbersByQuery {
        required {
            /// The numbers; sent as one string, separated by commas.
            msisdn: OneOrMany = "msisdn" in query as comma_list where Phone,
        }
    }
}

impl Operation for LookUpNumbersByQuery {
    const ID: &'static str = "lookup.numbers_by_query";
    const FAMILY: Family = Family::Lookup;
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/lookup";
    const SAFETY: RetrySafety = RetrySafety::Lookup;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Elements;
    const SECTION: &'static str = "C1";
    type Output = Vec<LookupResult>;

    fn expected(&self) -> ResponseExpectation {
        expected_numbers(&self.msisdn)
    }

    fn confirm(
        results: &mut Vec<LookupResult>,
        expected: &ResponseExpectation,
        warnings: &mut Problems,
    ) -> Result<(), Unconfirmed> {
        confirm_numbers(results, expected, warnings)
    }

    /// The key is sent in the query, before the numbers, and not in a header.
    fn encode_request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        let mut head = encoding::head(&Self::META, self, Self::PATH)?;
        if let Some(key) = context.lookup_key() {
            head.prepend_query("key", key);
        }
        let mut request = context.encode_head(&Self::META, self, head)?;
        request.headers.clear();
        Ok(request)
    }

    fn decode_request<'a>(request: &IncomingRequest<'a>) -> Result<Cow<'a, str>, RequestDecodeError> {
        let mut members = request.merged(&Self::META)?;
        members.remove("key");
        members.into_json()
    }
}

impl Validate for LookUpNumbersByQuery {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        check_numbers(&self.msisdn, true, at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

model! {
    /// The result for one number (C1).
    pub struct LookupResult {
        documented {
            /// The number.
            msisdn: String = "msisdn",
            /// 0 on success; another code is an error of this number only.
            response: i64 = "response",
        }
        optional {
            /// Mobile country code.
            mcc: String = "mcc",
            /// Mobile network code.
            mnc: String = "mnc",
            /// Whether the number was ported to another network.
            ported: bool = "ported",
            /// The network that the number was assigned to.
            original_network: Network = "originalNetwork",
            /// The network that the number was ported to.
            ported_network: Network = "portedNetwork",
            /// The mobile network code before the number was ported.
            original_mnc: String = "originalMnc",
            /// Present for roaming numbers.
            roaming: bool = "roaming",
            /// Mobile country code of the visited network.
            roaming_mcc: String = "roamingMcc",
            /// Mobile network code of the visited network.
            roaming_mnc: String = "roamingMnc",
            /// The visited network.
            roaming_network: Network = "roamingNetwork",
            /// The switching center, if the number is roaming.
            msc: String = "msc",
            /// The subscriber's identity, partly masked, if the number is roaming.
            imsi: String = "imsi",
            /// Whether the number is unreachable: switched off, out of coverage, or barred from roaming.
            absent: bool = "absent",
            /// The price of the lookup in the account's currency (C1; the specification names no currency).
            cost: f64 = "cost" where Shown & Money,
            /// The time of the lookup: ISO 8601, UTC.
            date: String = "date" where Shown & Moment,
        }
    }
}

model! {
    /// A network (C1).
    pub struct Network {
        optional {
            /// Its name.
            network_name: String = "networkName",
            /// The name of its country.
            country_name: String = "countryName",
            /// The calling code of its country.
            country_prefix: String = "countryPrefix",
        }
    }
}

/// Checks the numbers. With `split`, one text may contain several numbers, separated by commas.
fn check_numbers(msisdn: &OneOrMany, split: bool, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("msisdn");
    match msisdn {
        OneOrMany::One(text) => check_number(text, split, at, problems),
        OneOrMany::Many(texts) => {
            if texts.is_empty() {
                problems.add(&codes::LOOKUP_MSISDN_REQUIRED, at);
            }
            for (index, text) in texts.iter().enumerate() {
                check_number(text, split, &at.index(index), problems);
            }
        }
    }
}

fn check_number(text: &str, split: bool, at: &Pointer<'_>, problems: &mut Problems) {
    let (mut is_blank, mut is_other) = (false, false);
    for part in text.split(|c| split && c == ',') {
        let part = part.trim();
        is_blank |= part.is_empty();
        is_other |= !part.is_empty() && !formats::is_phone(part);
    }
    if is_blank {
        problems.add(&codes::LOOKUP_MSISDN_REQUIRED, at);
    }
    if is_other {
        let fix = formats::number_fix(text);
        problems.report(&codes::LOOKUP_MSISDN_NOT_PHONE, at).fix(fix);
    }
}

/// Expects one element for each number, also for numbers in one text that are separated by commas.
fn expected_numbers(msisdn: &OneOrMany) -> ResponseExpectation {
    let numbers = || msisdn.as_slice().iter().flat_map(|text| text.split(','));
    let recipients = Recipients::new(numbers());
    ResponseExpectation { elements: Some(numbers().count()), recipients, ..ResponseExpectation::default() }
}

/// Confirms a lookup by the elements that have a `response`. The order of the request (C) is not restored: each element names
/// its number.
fn confirm_numbers(
    results: &[LookupResult],
    expected: &ResponseExpectation,
    warnings: &mut Problems,
) -> Result<(), Unconfirmed> {
    let mut recipients = expected.recipients.clone();
    let mut found = 0;
    let mut indices = Vec::new();
    for result in results {
        match recipients.take(result.msisdn.as_deref()) {
            RecipientMatch::Possible(index) => {
                found += 1;
                indices.extend(index);
            }
            RecipientMatch::Repeated => {}
            RecipientMatch::Foreign => return Err(Unconfirmed::Mismatch),
        }
    }
    let expected = expected.elements.unwrap_or(results.len());
    if results.len() > expected {
        return Err(Unconfirmed::Mismatch);
    }
    if results.iter().all(|result| result.response.is_none()) {
        return Err(Unconfirmed::Missing);
    }
    if found < expected {
        warnings.report(&codes::RESPONSE_ELEMENTS_MISSING, &Pointer::ROOT).limit(expected, found, "elements");
    }
    if !indices.is_sorted() {
        warnings.add(&codes::RESPONSE_ELEMENTS_ORDER, &Pointer::ROOT);
    }
    Ok(())
}
