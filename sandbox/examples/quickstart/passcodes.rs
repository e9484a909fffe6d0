//! One-time passcodes.

use std::time::Duration;

use cpaas::error::Outcome;
use cpaas::operations::otp::{self, limits};
use cpaas_sandbox::MessageFilter;

use crate::transcript::{Failure, Transcript};
use crate::{PHONE, Stage};

/// A code that is surely wrong.
fn another(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}

async fn code(stage: &Stage, to: &str, channel: &str) -> Result<String, Failure> {
    let filter = MessageFilter::to(to).contains("code").channel(channel);
    let message =
        stage.sandbox.wait_for(&filter, Duration::from_secs(5)).await.ok_or("no passcode arrived")?;
    Ok(message.otp.ok_or("the message has no passcode")?)
}

/// A wrong code, then the right one.
pub(crate) async fn by_sms(stage: &Stage, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A passcode by SMS: a wrong code, then the right one");
    let sent = stage.client.call(otp::Send::new("login", "Acme", PHONE, "Your code is {code}")).await?;
    let id = sent.request_id.clone().ok_or("no request id")?;
    t.say(format!("request {id}"));
    let code = code(stage, PHONE, "sms").await?;
    let wrong = stage.client.call(otp::Verify::new("login", id.as_str(), another(&code))).await?;
    t.expect(!wrong.is_ok(), "a wrong code is a result, not an error");
    let right = stage.client.call(otp::Verify::new("login", id.as_str(), code.as_str())).await?;
    t.expect(right.is_ok(), "the right code is verified");
    let record = stage.client.call(otp::Get::new(id.as_str())).await?;
    let checks: Vec<_> = record
        .checks
        .iter()
        .flatten()
        .filter_map(|check| check.status.as_ref())
        .map(|status| status.as_str().to_owned())
        .collect();
    t.expect(checks == ["invalid", "valid"], format!("the record remembers: {}", checks.join(", ")));
    t.expect(record.status == Some(otp::OtpStatus::Success), "its status is success");
    Ok(())
}

/// The same, spoken.
pub(crate) async fn by_voice(stage: &Stage, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A passcode by voice call");
    let to = "306912345679";
    let call = otp::Send::new("login", "306900000000", to, "Your code is {code}").channel("call");
    let sent = stage.client.call(call).await?;
    let id = sent.request_id.clone().ok_or("no request id")?;
    let code = code(stage, to, "call").await?;
    t.say("the phone rings, and a voice says the code");
    let right = stage.client.call(otp::Verify::new("login", id.as_str(), code.as_str())).await?;
    t.expect(right.is_ok(), "the spoken code is verified");
    Ok(())
}

/// At most three in an hour: the fourth is stopped.
pub(crate) async fn limit(stage: &Stage, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A limit: three passcodes an hour to one number, the fourth is stopped");
    let bucket = limits::Bucket::new("hourly", 3, 3600);
    let made =
        stage.client.call(limits::Create::new("limit_on_phone", vec![bucket], "Three an hour")).await?;
    t.say(format!("limit {}", made.sid().unwrap_or("-")));
    let again = limits::Create::new("limit_on_phone", vec![limits::Bucket::new("hourly", 3, 3600)], "Again");
    let twice = stage.client.call(again).await.err();
    t.expect(twice.as_ref().and_then(|error| error.code) == Some(492), "its name is taken: 492");
    let to = "306912345680";
    let send = || {
        let limits = [("limit_on_phone".to_owned(), to.to_owned())];
        otp::Send::new("login", "Acme", to, "Your code is {code}").limits(limits)
    };
    for _ in 0..3 {
        stage.client.call(send()).await?;
    }
    let fourth = stage.client.call(send()).await.err().ok_or("the fourth was sent")?;
    t.say(fourth.to_string());
    t.expect(fourth.outcome == Outcome::Rejected, "the fourth is rejected");
    t.expect(fourth.retry_after_ms.is_some(), "and says when to come back");
    t.expect(stage.sandbox.messages(&MessageFilter::to(to)).await.len() == 3, "three arrived");
    Ok(())
}
