//! Counts messages and their cost by country (B4).

use crate::{
    model::model,
    operation::{Family, Method, Operation, RetrySafety, SuccessMarker},
    problem::{Pointer, Problems, Validate, codes},
    rules::{
        formats::{DateCodes, date_range},
        unknown_members,
    },
};

model! {
    /// Counts messages and their cost by country (B4).
    ///
    /// # Example
    ///
    /// ```
    /// use cpaas::sms::GetUsageByCountry;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = cpaas_sandbox::Sandbox::builder().start().await?;
    /// # let client = cpaas::Client::new(&sandbox.config())?;
    ///
    /// let january = GetUsageByCountry::new().start_date("2026-01-01").end_date("2026-01-31").account_name("acme-main");
    /// let usage = client.call(january).await?;
    /// for country in &usage.usages_by_country {
    ///     println!("{:?}: {:?}", country.country, country.cost);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct GetUsageByCountry {
        optional {
            /// The first day: `YYYY-MM-DD`.
            start_date: String = "startDate" where Shown & Date,
            /// The last day: `YYYY-MM-DD`.
            end_date: String = "endDate" where Shown & Date,
            /// The name of the account.
            account_name: String = "AccountName",
        }
    }
}

model! {
    /// The response to usage by country (B4).
    pub struct CountryUsages {
        verdict {
            /// One element for each country.
            usages_by_country: Vec<CountryUsage> = "usagesByCountry",
        }
    }
}

model! {
    /// Messages and cost in one country (B4).
    pub struct CountryUsage {
        documented {
            /// The country: a three-letter code.
            country: String = "country",
        }
        optional {
            /// The number of messages, as numeric text.
            messages_count: String = "messagesCount" where Shown,
            /// The cost of the messages in the account's currency, as numeric text (the specification names no currency).
            cost: String = "cost" where Shown & Money,
        }
    }
}

impl Operation for GetUsageByCountry {
    const ID: &'static str = "sms.usage_by_country";
    const FAMILY: Family = Family::Sms;
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/usage/bycountry.json";
    const SAFETY: RetrySafety = RetrySafety::Read;
    const SUCCESS_MARKER: SuccessMarker = SuccessMarker::Record;
    const SECTION: &'static str = "B4";
    type Output = CountryUsages;
}

impl Validate for GetUsageByCountry {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let (start, end) = (self.start_date.as_deref(), self.end_date.as_deref());
        warn_if_blank(start, at, "startDate", problems);
        warn_if_blank(end, at, "endDate", problems);
        warn_if_blank(self.account_name.as_deref(), at, "AccountName", problems);
        let codes = DateCodes { invalid: &codes::SMS_DATE_INVALID, order: &codes::SMS_DATE_ORDER };
        date_range(&codes, start, end, at, problems);
        unknown_members::unknown(self, at, problems);
    }
}

/// Warns if a member is missing or blank: every documented request has it, but it is not documented as required (B4).
fn warn_if_blank(value: Option<&str>, at: &Pointer<'_>, name: &str, problems: &mut Problems) {
    if value.unwrap_or_default().trim().is_empty() {
        problems.add_key(&codes::SMS_USAGE_MISSING, at, name);
    }
}
