//! Registers, deletes and shows the webhook of `messenger_c`.

use axum::response::Response;
use cpaas::webhooks::messenger_c;
use serde_json::json;

use crate::account_state::webhook_targets::Bot;
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::log_entries::Event;
use crate::provider_error::{ProviderError, ProviderResult};

/// Warns if `bot_id` does not start with `bot`; only one of the two documented forms does (D57).
fn check_bot_id(call: &mut Call<'_>) -> ProviderResult<()> {
    call.assume(AssumptionId(57))?;
    if !call.route.param("bot_id").starts_with("bot") {
        call.warn("`bot_id` does not start with `bot`; one of the two documented forms does");
    }
    Ok(())
}

/// Sets the webhook; `url` may be percent-encoded as a whole or not at all.
pub(crate) fn set(call: &mut Call<'_>) -> ProviderResult<Response> {
    check_bot_id(call)?;
    let messenger_c::SetMessengerCWebhook { url, ta, .. } = call.request()?;
    let own = &call.account.credentials.traffic_account_id;
    if ta.as_ref().is_some_and(|ta| !ta.eq_ignore_ascii_case(own)) {
        return Err(ProviderError::plain(404, "no such traffic account [sandbox]").assuming(AssumptionId(45)));
    }
    let mut state = call.account.state();
    let now = state.clock.now();
    state.callbacks.enable(&url);
    state.messenger_c_webhook = Some(Bot { url, ta });
    state.event(Event::new(now, "webhook.set").about("messenger_c"));
    Ok(ok(&json!({"ok": true, "result": true})))
}

pub(crate) fn delete(call: &mut Call<'_>) -> ProviderResult<Response> {
    check_bot_id(call)?;
    let mut state = call.account.state();
    state.messenger_c_webhook = None;
    let now = state.clock.now();
    state.event(Event::new(now, "webhook.removed").about("messenger_c"));
    Ok(ok(&json!({"ok": true, "result": true})))
}

pub(crate) fn info(call: &mut Call<'_>) -> ProviderResult<Response> {
    check_bot_id(call)?;
    let state = call.account.state();
    let url = state.messenger_c_webhook.as_ref().map(Bot::target).unwrap_or_default();
    Ok(ok(&json!({"ok": true, "result": {"url": url}})))
}
