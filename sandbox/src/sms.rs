//! The family `sms`.

mod bulk_sms;
mod country_usage;
mod delivery_report;
mod single_sms;

pub(crate) use single_sms::xml_error;

use axum::response::Response;
use cpaas::sms;
use serde_json::json;

use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::handlers::Handler::Now;
use crate::handlers::handles;
use crate::http_bodies::ok;
use crate::log_entries::Event;
use crate::magic_numbers::Magic;
use crate::message::Status;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;

handles! {
    sms::SendSms => Now(single_sms::send),
    sms::SendBulkSms => Now(bulk_sms::send),
    sms::GetUsageByCountry => Now(country_usage::by_country),
    sms::ConvertSms => Now(convert),
}

/// The status that an SMS ends in (D36).
fn ending(magic: Option<Magic>) -> Status {
    match magic {
        Some(Magic::Absent | Magic::Undelivered) => "undelivered",
        Some(Magic::Expired) => "expired",
        Some(Magic::Failed) => "failed",
        Some(Magic::Unassigned) => "rejected",
        _ => "delivered",
    }
}

/// Records that a message led to a conversion (B5).
fn convert(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: sms::ConvertSms = call.request()?;
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    if !state.settings.conversion {
        let text = "conversion tracking is not enabled [sandbox]";
        return Err(ProviderError::new(403, 910, text).assuming(AssumptionId(33)));
    }
    let id = Id::parse(&request.message_id)
        .filter(|id| state.entry(*id).is_some_and(|entry| entry.operation.is_sms()));
    let Some(id) = id else {
        return Err(ProviderError::new(404, 911, "no such message [sandbox]"));
    };
    call.assume(AssumptionId(33))?;
    let now = state.clock.now();
    state.event(Event::new(now, "sms.converted").about(id.to_string()));
    Ok(ok(&json!({"responseCode": 0, "responseText": "OK [sandbox]"})))
}
