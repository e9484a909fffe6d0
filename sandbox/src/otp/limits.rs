//! The calls that manage limits (A8).

use axum::response::Response;
use cpaas::otp::limits;

use super::paging::{Page, account, page_body, wrap};
use crate::account_state::limit_counters::{Bucket, Limit};
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::ordered_json::Object;
use crate::provider_error::{ProviderError, ProviderResult};

/// The buckets, and their string form in the request.
fn buckets(call: &Call<'_>, list: &[limits::Bucket]) -> (String, Vec<Bucket>) {
    let given = Object::parse(call.body).ok().and_then(|body| body.text("buckets").map(str::to_owned));
    let text = given.unwrap_or_else(|| serde_json::to_string(list).unwrap_or_default());
    (text, list.iter().map(Bucket::of).collect())
}

/// The requested operation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LimitRequest {
    Create,
    Update,
    Delete,
    List,
    Get,
}

pub(crate) fn handle(call: &mut Call<'_>, request: LimitRequest) -> ProviderResult<Response> {
    match request {
        LimitRequest::Create => create(call),
        LimitRequest::Update => update(call),
        LimitRequest::Delete => delete(call),
        LimitRequest::List => list(call),
        LimitRequest::Get => get(call),
    }
}

fn unknown() -> ProviderError {
    ProviderError::plain(493, "Invalid Limit Id")
}

fn create(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: limits::CreateLimit = call.request()?;
    let (text, buckets) = buckets(call, request.buckets.items());
    let mut state = call.account.state();
    if state.limits.list.iter().any(|limit| limit.name == request.name) {
        return Err(ProviderError::plain(492, "Limit with that Name already exists"));
    }
    let limit = Limit {
        sid: state.random.sid("LM"),
        name: request.name,
        text,
        buckets,
        description: request.description,
    };
    let shown = limit.show(call.account.sid());
    state.limits.list.push(limit);
    Ok(wrap(&shown))
}

fn update(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: limits::UpdateLimit = call.request()?;
    if request.buckets.is_none() || request.description.is_none() {
        call.assume(AssumptionId(17))?;
    }
    let mut state = call.account.state();
    let sid = call.route.param("sid");
    let limit = state.limits.list.iter_mut().find(|limit| limit.sid == sid).ok_or_else(unknown)?;
    if let Some(list) = request.buckets {
        (limit.text, limit.buckets) = buckets(call, list.items());
    }
    if let Some(description) = request.description {
        limit.description = description;
    }
    Ok(wrap(&limit.show(call.account.sid())))
}

fn delete(call: &mut Call<'_>) -> ProviderResult<Response> {
    let mut state = call.account.state();
    let limit = state.limits.remove(call.route.param("sid")).ok_or_else(unknown)?;
    Ok(wrap(&limit.show(call.account.sid())))
}

fn get(call: &mut Call<'_>) -> ProviderResult<Response> {
    let state = call.account.state();
    let limit =
        state.limits.find(call.route.param("sid")).ok_or_else(|| unknown().assuming(AssumptionId(3)))?;
    Ok(wrap(&limit.show(call.account.sid())))
}

fn list(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: limits::ListLimits = call.request()?;
    let page = Page::of(call, request.page_size, request.page)?;
    let account = account(call, request.account_sid.as_deref())?;
    call.note(AssumptionId(21));
    let state = account.state();
    let list = &state.limits.list;
    let skip = usize::try_from(page.start()).unwrap_or(usize::MAX);
    let take = usize::try_from(page.size).unwrap_or(usize::MAX);
    let shown = list.iter().skip(skip).take(take).map(|limit| limit.show(account.sid())).collect();
    Ok(ok(&page_body(page, "/2fa/limits/search", account.sid(), list.len() as u64, shown)))
}
