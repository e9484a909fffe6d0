//! Usage of passcodes (A7).

use axum::response::Response;
use cpaas::otp::{self, OtpChannel};
use serde_json::{Value, json};

use crate::assumptions::AssumptionId;
use crate::call::Call;
use crate::http_bodies::ok;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::time_text::{date_text as date, day_of, parse_date};

/// The maximum number of days in a daily report: a hundred years. It limits the size of the response.
const MAX_DAYS: i64 = 36_525;

/// The account and the days that a usage record covers.
struct Span<'a> {
    account: &'a str,
    from: i64,
    to: i64,
    path: &'static str,
}

impl Span<'_> {
    /// A record in the form of the specification's sample without a filter.
    fn plain(&self, channel: &str, description: &str, count: u64) -> Value {
        json!({
            "channel": channel,
            "description": description,
            "accountSid": self.account,
            "startTime": date(self.from),
            "endTime": date(self.to),
            "count": count.to_string(),
            "unit": "OTP",
            "uri": self.uri(""),
        })
    }

    /// A record in the form of the specification's sample with a filter by channel.
    fn filtered(&self, channel: &str, count: u64) -> Value {
        let (description, unit) =
            if channel == "call" { ("total OTP calls", "Calls") } else { ("total OTP SMS", "OTP") };
        json!({
            "category": channel,
            "description": format!("{description} [sandbox]"),
            "accountSid": self.account,
            "startDate": date(self.from),
            "endDate": date(self.to),
            "count": count.to_string(),
            "unit": unit,
            "uri": self.uri(&format!("&channel={channel}")),
        })
    }

    fn uri(&self, rest: &str) -> String {
        format!("{}?startDate={}&endDate={}{rest}", self.path, date(self.from), date(self.to))
    }
}

/// The requested days and channel.
struct UsagePeriod {
    from: i64,
    to: i64,
    channel: Option<&'static str>,
}

fn requested(call: &mut Call<'_>, request: otp::GetUsage) -> ProviderResult<UsagePeriod> {
    let day = |date: &Option<String>| date.as_deref().and_then(parse_date);
    let (start, end) = (day(&request.start_date), day(&request.end_date));
    if start.is_none() || end.is_none() {
        call.note(AssumptionId(22));
    }
    let to = end.unwrap_or_else(|| day_of(call.account.state().clock.now()));
    let from = start.unwrap_or(to - 29);
    let channel = match request.channel {
        None => None,
        Some(OtpChannel::Call) => Some("call"),
        Some(_) => {
            call.assume(AssumptionId(60))?;
            Some("sms")
        }
    };
    Ok(UsagePeriod { from, to, channel })
}

/// Usage over a period (A7).
pub(crate) fn records(call: &mut Call<'_>) -> ProviderResult<Response> {
    let requested = requested(call, call.request()?)?;
    let span = Span {
        account: call.account.sid(),
        from: requested.from,
        to: requested.to,
        path: "/2fa/usage/records",
    };
    let (sms, calls) = call.account.state().days.sum(requested.from, requested.to);
    let records = match requested.channel {
        Some("call") => vec![span.filtered("call", calls)],
        Some(channel) => vec![span.filtered(channel, sms)],
        None => {
            let mut records = vec![span.plain("All", "total OTPs sent [sandbox]", sms + calls)];
            if calls > 0 {
                records.push(span.plain("call", "total OTP calls [sandbox]", calls));
            }
            records
        }
    };
    Ok(ok(&json!({"usageRecords": records})))
}

/// Usage day by day (A7).
pub(crate) fn daily(call: &mut Call<'_>) -> ProviderResult<Response> {
    let request: otp::GetDailyUsage = call.request()?;
    let mut usage = otp::GetUsage::default();
    (usage.start_date, usage.end_date, usage.channel) =
        (request.start_date, request.end_date, request.channel);
    let requested = requested(call, usage)?;
    if requested.to - requested.from > MAX_DAYS {
        let message = format!("`startDate`: at most {MAX_DAYS} days before endDate [sandbox]");
        return Err(ProviderError::plain(400, message).assuming(AssumptionId(15)));
    }
    let state = call.account.state();
    let records: Vec<Value> = (requested.from..=requested.to)
        .map(|day| {
            let span =
                Span { account: call.account.sid(), from: day, to: day, path: "/2fa/usage/records/daily" };
            let (sms, calls) = state.days.sum(day, day);
            match requested.channel {
                Some("call") => span.filtered("call", calls),
                Some(channel) => span.filtered(channel, sms),
                None => span.plain("All", "total OTPs sent [sandbox]", sms + calls),
            }
        })
        .collect();
    Ok(ok(&json!({"usageRecords": records})))
}
