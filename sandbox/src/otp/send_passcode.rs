use axum::response::Response;
use cpaas::otp::{self, OtpChannel};
use cpaas::values::{Scalar, StringMap};
use serde_json::json;

use crate::assumptions::AssumptionId;
use crate::call::{Call, digits};
use crate::ledger::{SendOperation, fnv};
use crate::magic_numbers::{self, Magic};
use crate::message::Message;
use crate::provider_error::{Outcome, ProviderError};
use crate::random::Id;
use crate::response_body::ok;
use crate::state::{Accepted, State};
use crate::store::limit_counters::{AppliedLimit, Limits};
use crate::store::passcodes::{Otp, PENDING, PasscodeMessage, Sent, sid};

/// Sends a passcode (A1).
pub(crate) fn send(call: &mut Call<'_>) -> Outcome<Response> {
    let request: otp::Send = call.request()?;
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
    throttle(&mut state, &to)?;
    state.check_capacity(1)?;
    let now = state.clock.now();
    let caps = match &request.limits {
        Some(limits) => resolve(call, &state.limits, limits)?,
        None => Vec::new(),
    };
    state.limits.pass(&caps, now)?;
    let code = chosen.map_or_else(|| state.random.six_digits(), str::to_owned);
    let letter = PasscodeMessage {
        from: request.from,
        to,
        text: request.body.replace("{code}", &code),
        code,
        language,
        voice,
        assumptions: call.assumptions,
    };
    let id = state.accept(&Accepted {
        sort: SendOperation::Otp,
        body: fnv(call.body),
        to: &letter.to,
        reference: None,
        fault: call.fault,
        test: false,
    });
    let lifetime = call.shared.options.otp_ttl;
    state.open_otp(
        id,
        &request.service,
        &letter,
        guard.map(|seconds| seconds.saturating_mul(1_000)),
        lifetime,
    );
    state.deliver_otp(&sid("OTP", id), id, channel, &letter);
    drop(state);
    account.changed.notify_waiters();
    Ok(answer("OK", &sid("OTP", id)))
}

/// The response to send, verify and cancel (A2).
pub(super) fn answer(message: &str, request: &str) -> Response {
    ok(&json!({"code": 200, "message": message, "requestID": request}))
}

/// An error of a field (D15).
fn reject(name: &str, message: &str) -> ProviderError {
    ProviderError::plain(400, format!("`{name}`: {message} [sandbox]")).assuming(AssumptionId(15))
}

/// The limits that a send names; an unknown name is rejected or ignored (D16).
fn resolve(call: &mut Call<'_>, limits: &Limits, requested: &StringMap) -> Outcome<Vec<AppliedLimit>> {
    let mut caps = Vec::with_capacity(requested.len());
    for (name, value) in requested {
        match limits.cap(name, value) {
            Some(cap) => caps.push(cap),
            None if call.shared.options.ignore_unknown_limit => {
                call.assume(AssumptionId(16))?;
                call.warn(format!("unknown limit `{name}` ignored"));
            }
            None => {
                return Err(reject(&format!("limits/{name}"), "unknown limit").assuming(AssumptionId(16)));
            }
        }
    }
    Ok(caps)
}

/// The seconds of a guard time (D09); more than a clock can count become the most.
fn seconds(time: &Scalar) -> u64 {
    time.as_i64().and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(u64::MAX)
}

fn channel(call: &mut Call<'_>, channel: Option<&OtpChannel>) -> Outcome<&'static str> {
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

fn voice<'a>(call: &mut Call<'_>, request: &'a otp::Send, channel: &str) -> Outcome<Voice<'a>> {
    // No documented field: they come as undocumented ones.
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

fn throttle(state: &mut State, to: &str) -> Outcome<()> {
    match magic_numbers::of(to) {
        Some(Magic::Throttled) => {
            Err(ProviderError::plain(429, "throttled by a magic number [sandbox]").retry_after(1))
        }
        Some(Magic::FirstCall503) if state.first_call(to) => {
            Err(ProviderError::plain(503, "first call to a magic number [sandbox]"))
        }
        _ => Ok(()),
    }
}

impl State {
    /// A new passcode replaces the earlier ones.
    pub(super) fn open_otp(
        &mut self,
        id: Id,
        service: &str,
        letter: &PasscodeMessage,
        guard: Option<u64>,
        life: u64,
    ) {
        let now = self.clock.now();
        self.otps.supersede(service, &letter.to, now);
        self.otps.add(Otp {
            id,
            service: service.to_owned(),
            sender: letter.from.clone(),
            to: letter.to.clone(),
            code: letter.code.clone(),
            created: now,
            updated: now,
            expires: now + life,
            guard,
            status: PENDING,
            checks: Vec::new(),
            events: Vec::new(),
        });
    }

    /// Sends a passcode over a channel and notes it in its record.
    pub(super) fn deliver_otp(
        &mut self,
        request: &str,
        id: Id,
        channel: &'static str,
        letter: &PasscodeMessage,
    ) {
        let now = self.clock.now();
        let (status, error) = ending(magic_numbers::of(&letter.to));
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
            from: letter.from.clone(),
            to: letter.to.clone(),
            text: letter.text.clone(),
            status,
            settles: None,
            otp: Some(letter.code.clone()),
            reference: None,
            more: None,
            assumed: letter.assumptions.with(AssumptionId(5)).with(AssumptionId(59)),
        };
        message.deliver("request_id", request);
        if let Some(language) = &letter.language {
            message.deliver("language", language.as_str());
        }
        if let Some(voice) = &letter.voice {
            message.deliver("voice", voice.as_str());
        }
        self.store_message(message, 0);
    }
}

type CallEnd = (&'static str, Option<(&'static str, &'static str)>);

fn ending(magic: Option<Magic>) -> CallEnd {
    match magic {
        Some(Magic::Failed) => ("failed", Some(("990", "the channel failed [sandbox]"))),
        Some(Magic::Undelivered | Magic::Absent | Magic::Expired | Magic::Unassigned) => {
            ("undelivered", Some(("911", "the recipient was not reached [sandbox]")))
        }
        _ => ("delivered", None),
    }
}
