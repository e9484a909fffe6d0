//! Steps with one-time passcodes: by SMS, by voice call, and with a limit.

use std::time::Duration;

use cpaas::error::{Outcome, Reason};
use cpaas::otp::{self, Code, limits};
use cpaas_sandbox::MessageFilter;

use crate::transcript::{Failure, Transcript};
use crate::{PHONE, Setup};

/// A code that differs from `code`.
fn wrong_code(code: &Code) -> Code {
    Code::new(if *code == "000000" { "000001" } else { "000000" })
}

async fn code(setup: &Setup, to: &str, channel: &str) -> Result<Code, Failure> {
    let filter = MessageFilter::to(to).contains("code").channel(channel);
    let message =
        setup.sandbox.wait_for(&filter, Duration::from_secs(5)).await.ok_or("no passcode arrived")?;
    Ok(Code::new(message.otp.ok_or("the message has no passcode")?))
}

/// Sends a passcode by SMS, then verifies a wrong code and the right one.
pub(crate) async fn by_sms(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A passcode by SMS: a wrong code, then the right one");
    let sent =
        setup.client.call(otp::SendPasscode::new("login", "Acme", PHONE, "Your code is {code}")).await?;
    let id = sent.request_id.clone().ok_or("no request id")?;
    t.say(format!("request {id}"));
    let code = code(setup, PHONE, "sms").await?;
    let wrong = setup.client.call(otp::VerifyPasscode::new("login", &id, wrong_code(&code))).await.err();
    t.expect(
        wrong.is_some_and(|error| error.reason == Reason::NotVerified),
        "a wrong code is an error with the reason not_verified",
    );
    let right = setup.client.call(otp::VerifyPasscode::new("login", &id, code)).await?;
    t.expect(right.is_ok(), "the right code is verified");
    let record = setup.client.call(otp::GetPasscode::new(&id)).await?;
    let checks: Vec<_> = record
        .checks
        .iter()
        .flatten()
        .filter_map(|check| check.status.as_ref())
        .map(|status| status.as_str().to_owned())
        .collect();
    t.expect(
        checks == ["invalid", "valid"],
        format!("the record contains both checks: {}", checks.join(", ")),
    );
    t.expect(record.status == Some(otp::OtpStatus::Success), "its status is success");
    Ok(())
}

/// Sends a passcode by voice call and verifies it.
pub(crate) async fn by_voice(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A passcode by voice call");
    let to = "306912345679";
    let call = otp::SendPasscode::new("login", "306900000000", to, "Your code is {code}").channel("call");
    let sent = setup.client.call(call).await?;
    let id = sent.request_id.clone().ok_or("no request id")?;
    let code = code(setup, to, "call").await?;
    t.say("the call arrived; a voice says the code");
    let right = setup.client.call(otp::VerifyPasscode::new("login", &id, code)).await?;
    t.expect(right.is_ok(), "the spoken code is verified");
    Ok(())
}

/// A limit allows three passcodes in an hour; the fourth is rejected.
pub(crate) async fn limit(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A limit: three passcodes an hour to one number, the fourth is rejected");
    let bucket = limits::Bucket::new("hourly", 3, 3600);
    let made =
        setup.client.call(limits::CreateLimit::new("limit_on_phone", vec![bucket], "Three an hour")).await?;
    t.say(format!("limit {}", made.sid().unwrap_or("-")));
    let again =
        limits::CreateLimit::new("limit_on_phone", vec![limits::Bucket::new("hourly", 3, 3600)], "Again");
    let twice = setup.client.call(again).await.err();
    t.expect(
        twice.as_ref().and_then(|error| error.code) == Some(492),
        "a second limit with this name is rejected: 492",
    );
    let to = "306912345680";
    let send = || {
        let limits = [("limit_on_phone".to_owned(), to.to_owned())];
        otp::SendPasscode::new("login", "Acme", to, "Your code is {code}").limits(limits)
    };
    for _ in 0..3 {
        setup.client.call(send()).await?;
    }
    let fourth = setup.client.call(send()).await.err().ok_or("the fourth was sent")?;
    t.say(fourth.to_string());
    t.expect(fourth.outcome == Outcome::Rejected, "the fourth is rejected");
    t.expect(fourth.retry_after_ms.is_some(), "the error contains the time until a retry");
    t.expect(setup.sandbox.messages(&MessageFilter::to(to)).await.len() == 3, "three passcodes arrived");
    Ok(())
}
