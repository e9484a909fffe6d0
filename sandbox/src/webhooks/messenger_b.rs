//! Registers the webhook of `messenger_b`.

use axum::response::Response;
use cpaas::webhooks::messenger_b;
use serde_json::json;

use crate::account_state::webhook_targets::{EVENTS, Hook};
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::call::{Call, Later};
use crate::callbacks::{Delivery, TargetResponse, send as call_out};
use crate::http_bodies::ok;
use crate::log_entries::Event;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::query_string;
use crate::validation::BAD_REQUEST;

/// The `status` if the webhook fails its check.
const CHECK_FAILED: i64 = 1;

fn reject(status: i64, text: &str) -> ProviderError {
    ProviderError::new(200, status, format!("{text} [sandbox]"))
}

/// Registers a webhook after its check, or removes it.
pub(crate) fn set<'a>(call: &'a mut Call<'_>) -> Later<'a> {
    Box::pin(register(call))
}

async fn register(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: messenger_b::SetMessengerBWebhook = call.request()?;
    let url = request.url.as_str().unwrap_or_default().to_owned();
    traffic_account(call, &url)?;
    let events = request.event_types.map_or_else(|| EVENTS.to_vec(), |list| known(&list));
    let hook = Hook {
        events,
        name: request.send_name.unwrap_or_default(),
        photo: request.send_photo.unwrap_or_default(),
        url,
    };
    if hook.url.is_empty() {
        let mut state = call.account.state();
        state.messenger_b_webhook = None;
        let now = state.clock.now();
        state.event(Event::new(now, "webhook.removed").about("messenger_b"));
        return Ok(ok(&json!({"status": 0, "status_message": "removed [sandbox]", "event_types": []})));
    }
    check(call, &hook).await?;
    let response = json!({"status": 0, "status_message": "ok [sandbox]", "event_types": hook.events});
    let mut state = call.account.state();
    let now = state.clock.now();
    state.callbacks.enable(&hook.url);
    state.messenger_b_webhook = Some(hook);
    state.event(Event::new(now, "webhook.set").about("messenger_b"));
    Ok(ok(&response))
}

/// Checks that `ta` in the call and `ta` in the URL are equal (D58) and belong to the account.
fn traffic_account(call: &mut Call<'_>, url: &str) -> ProviderResult<()> {
    let given = query_string::get(call.query, "ta");
    let within = url.split_once('?').and_then(|(_, query)| query_string::get(query, "ta"));
    call.note(AssumptionId(58));
    if let (Some(one), Some(two)) = (&given, &within)
        && one != two
    {
        return Err(reject(BAD_REQUEST, "`ta` must be the same in the call and in the URL")
            .assuming(AssumptionId(58)));
    }
    match given.or(within) {
        Some(ta) if !ta.eq_ignore_ascii_case(&call.account.credentials.traffic_account_id) => {
            Err(reject(BAD_REQUEST, "no such traffic account").assuming(AssumptionId(45)))
        }
        Some(_) => Ok(()),
        None => {
            call.warn("no `ta`: the account of the token applies");
            Ok(())
        }
    }
}

fn known(list: &[messenger_b::EventType]) -> Vec<&'static str> {
    EVENTS.into_iter().filter(|event| list.iter().any(|one| one.as_str() == *event)).collect()
}

/// Calls the webhook once; only HTTP status 200 passes.
async fn check(call: &Call<'_>, hook: &Hook) -> ProviderResult<()> {
    let body = json!({"event": "webhook", "_sandbox": true}).to_string();
    let delivery = Delivery {
        kind: "check",
        subject: "messenger_b".to_owned(),
        method: "POST",
        url: hook.url.clone(),
        content_type: "application/json",
        body: body.into_bytes(),
        assumed: AssumptionSet::default().with(AssumptionId(48)),
        replay_of: None,
    };
    let response = call_out(call.shared, &delivery).await;
    let passed = matches!(response, TargetResponse::Status(200, _));
    let mut state = call.account.state();
    let now = state.clock.now();
    state.callbacks.record_single(delivery, now, response);
    state.trim();
    if passed { Ok(()) } else { Err(reject(CHECK_FAILED, "the webhook must respond with 200")) }
}
