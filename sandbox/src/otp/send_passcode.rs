//! Sends passcodes (A1).

use axum::response::Response;
use cpaas::http::Family;
use cpaas::member_types::{Scalar, StringMap};
use cpaas::otp::{self, OtpChannel};
use serde_json::json;

use crate::account_state::limit_counters::{AppliedLimit, Limits};
use crate::account_state::passcodes::{Otp, PENDING, PasscodeMessage, Sent, sid};
use crate::account_state::{Accepted, State};
use crate::assumptions::AssumptionId;
use crate::call::{Call, digits};
use crate::http_bodies::ok;
use crate::ledger::{SendOperation, fnv};
use crate::magic_numbers::{self, Magic};
use crate::message::Message;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::random::Id;
use crate::traceparent::Traceparent;

/// Sends a passcode (A1).
pub(crate) fn send(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: otp::SendPasscode = call.request()?;
    let to = digits(call, &request.to)?.to_owned();
    let channel = channel(call, request.channel.as_ref())?;
    let (language, voice, chosen) = voice(call, &request, channel)?;
    if chosen.is_none() && call.has_warning("otp.body.no_code") {
        return Err(reject("body", "must contain {code} if no code is given").assuming(AssumptionId(11)));
    }
    let guard = request.guard_time.as_ref().map(seconds);
    if request.guard_time.is_some() {
        call.assume(AssumptionId(9))?;
    }
    let account = std::sync::Arc::clone(&call.account);
    let mut state = account.state();
    state.throttle(&to, Family::Otp)?;
    state.check_capacity(1)?;
    let now = state.clock.now();
    let applied = match &request.limits {
        Some(limits) => resolve(call, &state.limits, limits)?,
        None => Vec::new(),
    };
    state.limits.pass(&applied, now)?;
    let code = chosen.map_or_else(|| state.random.six_digits(), str::to_owned);
    let passcode = PasscodeMessage {
        from: request.from,
        to,
        text: request.body.replace("{code}", &code),
        code,
        language,
        voice,
        traceparent: Traceparent::of(call.headers),
        assumptions: call.assumptions,
    };
    let id = state.accept(&Accepted {
        operation: SendOperation::Otp,
        body: fnv(call.body),
        to: &passcode.to,
        reference: None,
        fault: call.fault,
        test: false,
    });
    let lifetime = call.shared.options.otp_ttl;
    state.open_otp(
        id,
        &request.service,
        &passcode,
        guard.map(|seconds| seconds.saturating_mul(1_000)),
        lifetime,
    );
    state.deliver_otp(&sid("OTP", id), id, channel, &passcode);
    drop(state);
    account.changed.notify_waiters();
    Ok(otp_response("OK", &sid("OTP", id)))
}

/// The response to send, verify and cancel (A2).
pub(super) fn otp_response(message: &str, request: &str) -> Response {
    ok(&json!({"code": 200, "message": message, "requestID": request}))
}

/// An error of a field (D15).
fn reject(name: &str, message: &str) -> ProviderError {
    ProviderError::plain(400, format!("`{name}`: {message} [sandbox]")).assuming(AssumptionId(15))
}

/// The limits that a request names; an unknown name is rejected or ignored (D16).
fn resolve(call: &mut Call<'_>, limits: &Limits, requested: &StringMap) -> ProviderResult<Vec<AppliedLimit>> {
    let mut applied = Vec::with_capacity(requested.len());
    for (name, value) in requested {
        match limits.applied_limit(name, value) {
            Some(applied_limit) => applied.push(applied_limit),
            None if call.shared.options.ignore_unknown_limit => {
                call.assume(AssumptionId(16))?;
                call.warn(format!("unknown limit `{name}` ignored"));
            }
            None => {
                return Err(reject(&format!("limits/{name}"), "unknown limit").assuming(AssumptionId(16)));
            }
        }
    }
    Ok(applied)
}

/// The seconds of a guard time (D09); larger values become `u64::MAX`.
fn seconds(time: &Scalar) -> u64 {
    time.as_i64().and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(u64::MAX)
}

fn channel(call: &mut Call<'_>, channel: Option<&OtpChannel>) -> ProviderResult<&'static str> {
    match channel {
        Some(OtpChannel::Call) => Ok("call"),
        Some(_) => Ok("sms"),
        None => {
            call.assume(AssumptionId(8))?;
            Ok("sms")
        }
    }
}

/// Language, voice and chosen code (D12).
type Voice<'a> = (Option<String>, Option<String>, Option<&'a str>);

fn voice<'a>(
    call: &mut Call<'_>,
    request: &'a otp::SendPasscode,
    channel: &str,
) -> ProviderResult<Voice<'a>> {
    // These fields are undocumented, so they are in `extra`.
    let text = |name: &str| match request.extra.get(name) {
        None => Ok(None),
        Some(value) => match value.as_str() {
            Some(text) => Ok(Some(text)),
            None => Err(reject(name, "must be a string").assuming(AssumptionId(12))),
        },
    };
    let (language, voice, code) = (text("language")?, text("voice")?, text("code")?);
    let (language, voice) = (language.map(str::to_owned), voice.map(str::to_owned));
    if language.is_some() || voice.is_some() || code.is_some() {
        call.assume(AssumptionId(12))?;
    }
    if voice.as_deref().is_some_and(|voice| !matches!(voice, "male" | "female")) {
        return Err(reject("voice", "must be \"male\" or \"female\"").assuming(AssumptionId(12)));
    }
    let fits = |code: &str| (4..=10).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_digit());
    if code.is_some_and(|code| !fits(code)) {
        return Err(reject("code", "must have 4 to 10 digits").assuming(AssumptionId(12)));
    }
    if channel == "sms" && (language.is_some() || voice.is_some()) {
        call.warn("`language` and `voice` have no effect on an SMS");
    }
    Ok((language, voice, code))
}

impl State {
    /// Stores a new passcode and ends the earlier ones of its service and recipient (D10).
    pub(super) fn open_otp(
        &mut self,
        id: Id,
        service: &str,
        passcode: &PasscodeMessage,
        guard: Option<u64>,
        life: u64,
    ) {
        let now = self.clock.now();
        self.otps.supersede(service, &passcode.to, now);
        self.otps.add(Otp {
            id,
            service: service.to_owned(),
            sender: passcode.from.clone(),
            to: passcode.to.clone(),
            code: passcode.code.clone(),
            created: now,
            updated: now,
            expires: now + life,
            guard,
            status: PENDING,
            checks: Vec::new(),
            events: Vec::new(),
        });
    }

    /// Sends a passcode over a channel and adds the delivery to its record.
    pub(super) fn deliver_otp(
        &mut self,
        request: &str,
        id: Id,
        channel: &'static str,
        passcode: &PasscodeMessage,
    ) {
        let now = self.clock.now();
        let (status, error) = ending(magic_numbers::of(&passcode.to));
        let event =
            Sent { sid: self.random.sid("OTE"), at: now, channel, target: sid("SM", id), status, error };
        if let Some(otp) = self.otps.find_mut(request) {
            otp.events.push(event);
        }
        self.otps.remeasure(request);
        self.days.count(now, channel);
        let mut message = Message {
            id,
            at: now,
            updated: now,
            operation: "otp.send",
            channel,
            inbound: false,
            from: passcode.from.clone(),
            to: passcode.to.clone(),
            text: passcode.text.clone(),
            status,
            settles: None,
            otp: Some(passcode.code.clone()),
            reference: None,
            traceparent: passcode.traceparent,
            more: None,
            assumed: passcode.assumptions.with(AssumptionId(5)).with(AssumptionId(59)),
            hidden: false,
        };
        message.add_member("request_id", request);
        if let Some(language) = &passcode.language {
            message.add_member("language", language.as_str());
        }
        if let Some(voice) = &passcode.voice {
            message.add_member("voice", voice.as_str());
        }
        self.store_message(message, 0);
    }
}

/// The final status of a delivery, with the code and text of an error.
type DeliveryEnd = (&'static str, Option<(&'static str, &'static str)>);

fn ending(magic: Option<Magic>) -> DeliveryEnd {
    match magic {
        Some(Magic::Failed) => ("failed", Some(("990", "the channel failed [sandbox]"))),
        Some(Magic::Undelivered | Magic::Absent | Magic::Expired | Magic::Unassigned) => {
            ("undelivered", Some(("911", "the recipient was not reached [sandbox]")))
        }
        _ => ("delivered", None),
    }
}
