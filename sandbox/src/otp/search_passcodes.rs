//! The records of passcodes: one by its id (A5), or a page of them (A6).

use axum::response::Response;
use cpaas::otp;
use serde_json::{Value, json};

use super::paging::{Page, account};
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::query_string::encode;

/// One record (A5).
pub(crate) fn get(call: &mut Call<'_>) -> ProviderResult<Response> {
    call.note(AssumptionId(54));
    let state = call.account.state();
    let otp = state
        .otps
        .find(call.route.param("sid"))
        .ok_or_else(|| ProviderError::plain(404, "no such request [sandbox]").assuming(AssumptionId(3)))?;
    Ok(ok(&otp.show(call.account.sid(), state.clock.now())))
}

/// A page of records, newest first (A6).
pub(crate) fn search(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: otp::SearchPasscodes = call.request()?;
    let page = Page::of(call, request.page_size, request.page)?;
    let account = account(call, request.account_sid.as_deref())?;
    call.note(AssumptionId(21));
    call.note(AssumptionId(54));
    let status = request.status.as_ref().map(otp::OtpStatus::as_str);
    let state = account.state();
    let now = state.clock.now();
    let fits = |wanted: Option<&str>, given: &str| wanted.is_none_or(|wanted| wanted == given);
    let fitting = || state.otps.records.iter().rev().filter(|(_, otp)| fits(status, otp.status_at(now).0));
    let total = fitting().count() as u64;
    let skip = usize::try_from(page.start()).unwrap_or(usize::MAX);
    let shown: Vec<Value> = fitting()
        .skip(skip)
        .take(usize::try_from(page.size).unwrap_or(usize::MAX))
        .map(|(_, otp)| otp.show(account.sid(), now))
        .collect();
    let link = |number: u64| {
        let status = status.map(|status| format!("&status={}", encode(status))).unwrap_or_default();
        format!("/2fa/search?pageSize={}&page={number}&accountSid={}{status}", page.size, account.sid())
    };
    let (start, end) = page.bounds(shown.len());
    Ok(ok(&json!({
        "page": page.page,
        "num_pages": page.pages(total),
        "page_size": page.size,
        "total": total,
        "start": start,
        "end": end,
        "uri": link(page.page),
        "first_page_uri": link(page.first()),
        "previous_page_uri": page.previous().map(link),
        "next_page_uri": page.next(total).map(link),
        "twoFaOtpSdrs": shown,
    })))
}
