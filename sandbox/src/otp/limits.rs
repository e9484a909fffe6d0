//! The calls that manage limits (A8).

use axum::response::Response;
use serde_json::{Value, json};

use super::fields::{optional, refuse, required, text};
use super::limit::{Limit, buckets};
use super::paging::{Page, Parameters, wrapper};
use crate::assumptions::D;
use crate::body::ok;
use crate::call::Call;
use crate::provider_error::{Outcome, ProviderError};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Create,
    Update,
    Delete,
    List,
    Get,
}

pub(crate) fn handle(call: &mut Call<'_>, order: Order) -> Outcome<Response> {
    match order {
        Order::Create => create(call),
        Order::Update => update(call),
        Order::Delete => delete(call),
        Order::List => list(call),
        Order::Get => get(call),
    }
}

fn wrap(data: &Value) -> Response {
    ok(&json!({"data": data, "code": 200, "message": "OK"}))
}

fn unknown() -> ProviderError {
    ProviderError::plain(493, "Invalid Limit Id")
}

fn create(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(&["name", "buckets", "description"], 400)?;
    let name = required(&object, "name")?;
    let list = required(&object, "buckets")?;
    let buckets = buckets(list)?;
    let description = required(&object, "description")?;
    let mut state = call.account.state();
    if state.limits.list.iter().any(|limit| limit.name == name) {
        return Err(ProviderError::plain(492, "Limit with that Name already exists"));
    }
    let limit = Limit {
        sid: state.random.sid("LM"),
        name: name.to_owned(),
        text: list.to_owned(),
        buckets,
        description: description.to_owned(),
    };
    let shown = limit.show(call.account.sid());
    state.limits.list.push(limit);
    Ok(wrap(&shown))
}

fn update(call: &mut Call<'_>) -> Outcome<Response> {
    let object = call.object(&["buckets", "description"], 400)?;
    let list = optional(&object, "buckets")?;
    let description = text(&object, "description")?;
    let parsed = list.map(buckets).transpose()?;
    if list.is_none() && description.is_none() {
        return Err(refuse("buckets", "or description is required"));
    }
    if list.is_none() || description.is_none() {
        call.rely(D(17))?;
    }
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let limit = state.limits.list.iter_mut().find(|limit| limit.sid == sid).ok_or_else(unknown)?;
    if let (Some(list), Some(parsed)) = (list, parsed) {
        list.clone_into(&mut limit.text);
        limit.buckets = parsed;
    }
    if let Some(description) = description {
        description.clone_into(&mut limit.description);
    }
    Ok(wrap(&limit.show(call.account.sid())))
}

fn delete(call: &mut Call<'_>) -> Outcome<Response> {
    let mut state = call.account.state();
    let limit = state.limits.remove(call.route.param("sid")).ok_or_else(unknown)?;
    Ok(wrap(&limit.show(call.account.sid())))
}

fn get(call: &mut Call<'_>) -> Outcome<Response> {
    let state = call.account.state();
    let limit = state.limits.find(call.route.param("sid")).ok_or_else(|| unknown().leaning(D(3)))?;
    Ok(wrap(&limit.show(call.account.sid())))
}

fn list(call: &mut Call<'_>) -> Outcome<Response> {
    let parameters = Parameters::of(call, &["pageSize", "page", "accountSid"])?;
    let page = Page::of(call, &parameters)?;
    let account = parameters.account(call)?;
    call.note(D(21));
    let state = account.state();
    let list = &state.limits.list;
    let skip = usize::try_from(page.start()).unwrap_or(usize::MAX);
    let take = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown = list.iter().skip(skip).take(take).map(|limit| limit.show(account.sid())).collect();
    Ok(ok(&wrapper(page, "/2fa/limits/search", account.sid(), list.len() as u64, shown)))
}
