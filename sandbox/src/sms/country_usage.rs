//! Usage of SMS by country (B4).

use axum::response::Response;
use std::collections::BTreeMap;

use cpaas::sms;
use serde_json::{Value, json};

use crate::call::Call;
use crate::http_bodies::ok;
use crate::networks;
use crate::provider_error::ProviderResult;
use crate::time_text::parse_date;

/// Usage by country (B4).
pub(crate) fn by_country(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: sms::GetUsageByCountry = call.request()?;
    let day = |date: Option<String>| date.as_deref().and_then(parse_date).unwrap_or_default();
    let (start, end) = (day(request.start_date), day(request.end_date));
    let name = request.account_name.unwrap_or_default();
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    if name == call.account.sid() || name == call.account.email {
        let state = call.account.state();
        for ((_, country), tally) in state.countries.0.range((start, "")..(end + 1, "")) {
            let sum = sums.entry(country).or_default();
            sum.0 += tally.0;
            sum.1 += tally.1;
        }
    }
    let countries: Vec<Value> = sums
        .into_iter()
        .map(|(country, (count, cost))| {
            json!({"country": country, "messagesCount": count.to_string(), "cost": networks::money(cost)})
        })
        .collect();
    Ok(ok(&json!({"usagesByCountry": countries})))
}
