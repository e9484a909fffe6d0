//! Verifies (A3) and cancels (A4) passcodes.

use super::send_passcode::otp_response;
use crate::account_state::State;
use crate::account_state::passcodes::{CANCELED, Check, PENDING, SUCCESS};
use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::provider_error::{ProviderError, ProviderResult};
use axum::response::Response;
use cpaas::otp;

fn unknown() -> ProviderError {
    ProviderError::plain(404, "no such request [sandbox]").assuming(AssumptionId(3))
}

/// Checks a submitted code (A3).
pub(crate) fn verify(call: &mut Call<'_>) -> ProviderResult<Response> {
    let otp::VerifyPasscode { service, request_id: request, code, .. } = call.request()?;
    let most = call.shared.options.otp_max_checks;
    let mut state = call.account.state();
    let now = state.clock.now();
    let sid = state.random.sid("OTC");
    let request = request.as_str();
    let outcome = check(&mut state, request, &service, code.as_str(), most, sid, now);
    state.otps.remeasure(request);
    state.trim();
    outcome.map(|()| otp_response("OK", request))
}

fn check(
    state: &mut State,
    request: &str,
    service: &str,
    code: &str,
    most: Option<u32>,
    sid: String,
    now: u64,
) -> ProviderResult<()> {
    let otp = state.otps.find_mut(request).filter(|otp| otp.service == service).ok_or_else(unknown)?;
    if most.is_some_and(|most| otp.checks.len() >= most as usize) {
        return Err(ProviderError::plain(429, "too many checks [sandbox]")
            .assuming(AssumptionId(7))
            .retry_after(1));
    }
    let open = otp.status_at(now).0 == PENDING;
    let valid = open && otp.code == code;
    otp.checks.push(Check { sid, at: now, valid, code: code.to_owned() });
    if !open {
        return Err(ProviderError::plain(410, "this code is used, canceled or expired [sandbox]")
            .assuming(AssumptionId(4)));
    }
    if !valid {
        otp.updated = now;
        return Err(ProviderError::plain(400, "Invalid code [sandbox]").assuming(AssumptionId(2)));
    }
    otp.status = SUCCESS;
    otp.updated = now;
    Ok(())
}

/// Cancels a passcode (A4).
pub(crate) fn cancel(call: &mut Call<'_>) -> ProviderResult<Response> {
    let otp::CancelPasscode { request_id: request, account_sid: account, .. } = call.request()?;
    if account.as_deref() != Some(call.account.sid()) {
        return Err(ProviderError::plain(404, "no such account [sandbox]").assuming(AssumptionId(52)));
    }
    let mut state = call.account.state();
    let now = state.clock.now();
    let otp = state.otps.find_mut(request.as_str()).ok_or_else(unknown)?;
    if otp.status_at(now).0 != PENDING {
        return Err(ProviderError::plain(410, "this code is used, canceled or expired [sandbox]")
            .assuming(AssumptionId(4)));
    }
    otp.status = CANCELED;
    otp.updated = now;
    Ok(otp_response("canceled", request.as_str()))
}
