use axum::response::Response;
use serde_json::{Value, json};

use crate::assumptions::{D, Marks};
use crate::body::ok;
use crate::call::Call;
use crate::callbacks::{Answer, Delivery, send as call_out};
use crate::handlers::Later;
use crate::log::Event;
use crate::object::{Item, Object};
use crate::provider_error::{Outcome, ProviderError};
use crate::query;

/// The events that can be subscribed to.
pub(crate) const EVENTS: [&str; 6] =
    ["delivered", "seen", "failed", "subscribed", "unsubscribed", "conversation_started"];

/// A registered webhook.
#[derive(Debug, Clone)]
pub(crate) struct Hook {
    pub(crate) url: String,
    pub(crate) events: Vec<&'static str>,
    pub(crate) name: bool,
    pub(crate) photo: bool,
}

/// The statuses of a refusal.
const CHECK_FAILED: i64 = 1;
const BAD_REQUEST: i64 = 3;
const BAD_URL: i64 = 4;
const UNKNOWN_EVENT: i64 = 5;

fn refuse(status: i64, text: &str) -> ProviderError {
    ProviderError::new(200, status, format!("{text} [sandbox]"))
}

/// Registers a webhook after its check, or removes it.
pub(crate) fn set<'a>(call: &'a mut Call<'_>) -> Later<'a> {
    Box::pin(register(call))
}

async fn register(call: &mut Call<'_>) -> Outcome<Response> {
    let object = match call.object(&["url", "event_types", "send_name", "send_photo"], BAD_REQUEST) {
        Ok(object) => object,
        Err(refusal) => return Err(ProviderError { status: 200, ..refusal }),
    };
    let url = match object.get("url") {
        Some(Item::Text(url)) => url.as_ref().to_owned(),
        _ => return Err(refuse(BAD_URL, "`url` is required, a string")),
    };
    traffic_account(call, &url)?;
    let hook = Hook {
        events: events(&object)?,
        name: switch(&object, "send_name")?,
        photo: switch(&object, "send_photo")?,
        url,
    };
    if hook.url.is_empty() {
        let mut state = call.account.state();
        state.hook_b = None;
        let now = state.clock.now();
        state.event(Event::new(now, "webhook.removed").about("messenger_b"));
        return Ok(ok(&json!({"status": 0, "status_message": "removed [sandbox]", "event_types": []})));
    }
    if !allowed(&hook.url) {
        return Err(refuse(BAD_URL, "`url` is https, or http to a loopback address"));
    }
    check(call, &hook).await?;
    let answer = json!({"status": 0, "status_message": "ok [sandbox]", "event_types": hook.events});
    let mut state = call.account.state();
    let now = state.clock.now();
    state.callbacks.enable(&hook.url);
    state.hook_b = Some(hook);
    state.event(Event::new(now, "webhook.set").about("messenger_b"));
    Ok(ok(&answer))
}

/// https anywhere, http to loopback only (a webhook needs a certificate of a trusted authority).
pub(super) fn allowed(url: &str) -> bool {
    if !crate::url::is_callable(url) {
        return false;
    }
    let Some(uri) = url.parse::<hyper::Uri>().ok() else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    let loopback = host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    uri.scheme_str() == Some("https") || loopback
}

/// The traffic account on the call and the one within the URL must agree (D58).
fn traffic_account(call: &mut Call<'_>, url: &str) -> Outcome<()> {
    let given = query::get(call.query, "ta");
    let within = url.split_once('?').and_then(|(_, query)| query::get(query, "ta"));
    call.note(D(58));
    if let (Some(one), Some(two)) = (&given, &within)
        && one != two
    {
        return Err(refuse(BAD_REQUEST, "`ta` differs between the call and the URL").leaning(D(58)));
    }
    match given.or(within) {
        Some(ta) if !ta.eq_ignore_ascii_case(&call.account.credentials.traffic_account_id) => {
            Err(refuse(BAD_REQUEST, "no such traffic account").leaning(D(45)))
        }
        Some(_) => Ok(()),
        None => {
            call.warn("no `ta`: the account of the token is meant");
            Ok(())
        }
    }
}

fn events(object: &Object<'_>) -> Outcome<Vec<&'static str>> {
    let list = match object.get("event_types") {
        None => return Ok(EVENTS.to_vec()),
        Some(Item::Deep(Value::Array(list))) => list,
        Some(_) => return Err(refuse(BAD_REQUEST, "`event_types` is an array of strings")),
    };
    let find = |one: &Value| EVENTS.iter().copied().find(|event| one.as_str() == Some(event));
    list.iter()
        .map(|one| find(one).ok_or_else(|| refuse(UNKNOWN_EVENT, "an unknown event type").leaning(D(66))))
        .collect()
}

fn switch(object: &Object<'_>, name: &str) -> Outcome<bool> {
    match object.get(name) {
        None => Ok(false),
        Some(Item::Bool(value)) => Ok(*value),
        Some(_) => Err(refuse(BAD_REQUEST, &format!("`{name}` is true or false"))),
    }
}

/// Calls the webhook once; only HTTP status 200 passes.
async fn check(call: &Call<'_>, hook: &Hook) -> Outcome<()> {
    let body = json!({"event": "webhook", "_sandbox": true}).to_string();
    let delivery = Delivery {
        kind: "check",
        subject: "messenger_b".to_owned(),
        method: "POST",
        url: hook.url.clone(),
        content_type: "application/json",
        body: body.into_bytes(),
        assumed: Marks::default().with(D(48)),
    };
    let answer = call_out(call.shared, &delivery).await;
    let passed = matches!(answer, Answer::Status(200, _));
    let mut state = call.account.state();
    let now = state.clock.now();
    state.callbacks.once(delivery, now, answer);
    state.trim();
    if passed { Ok(()) } else { Err(refuse(CHECK_FAILED, "the webhook did not answer 200")) }
}
