use axum::response::Response;
use cpaas::sms;
use serde_json::json;

use crate::assumptions::D;
use crate::body::ok;
use crate::call::Call;
use crate::log::Event;
use crate::provider_error::{Outcome, ProviderError};
use crate::random::Id;

/// Notes that a message led to a conversion (B5).
pub(crate) fn convert(call: &mut Call<'_>) -> Outcome<Response> {
    let request: sms::Convert = call.request()?;
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    if !state.settings.conversion {
        let text = "conversion tracking is not enabled [sandbox]";
        return Err(ProviderError::new(403, 910, text).leaning(D(33)));
    }
    let id = Id::parse(&request.message_id)
        .filter(|id| state.entry(*id).is_some_and(|entry| entry.operation.is_sms()));
    let Some(id) = id else {
        return Err(ProviderError::new(404, 911, "no such message [sandbox]"));
    };
    call.rely(D(33))?;
    let now = state.clock.now();
    state.event(Event::new(now, "sms.converted").about(id.to_string()));
    Ok(ok(&json!({"responseCode": 0, "responseText": "OK [sandbox]"})))
}
