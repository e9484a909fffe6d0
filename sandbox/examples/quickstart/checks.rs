//! Steps with validation, number lookup, usage and outcomes.

use cpaas::error::Outcome;
use cpaas::{OperationId, sms};
use cpaas::{lookup, otp};
use serde_json::json;

use crate::transcript::{Failure, Transcript};
use crate::{PHONE, Setup};

/// Validates an invalid carousel: the report contains every problem, and nothing is sent.
pub(crate) fn all_problems_at_once(t: &mut Transcript) {
    t.step("An invalid carousel is rejected before it is sent, with all its problems");
    let card = json!({
        "title": "Red shoe",
        "media": {"height": "TALL", "contentInfo": {"fileUrl": "shoe.png", "altText": "A red shoe"}},
        "suggestions": [{"reply": {"text": "Show me the other colors, please", "postbackData": "colors"}}],
    });
    let request = json!({
        "trafficAccountId": "not-a-uuid",
        "destination": PHONE,
        "business_chat": {"carouselCard": {"cardWidth": "SMALL", "cardContents": [card]}, "falback": "See our shoes"},
    });
    let report = OperationId::MessagesSend.validate_json(&request.to_string());
    for problem in report.errors.iter().chain(&report.warnings) {
        let severity = format!("{:?}", problem.severity).to_lowercase();
        t.say(format!("{severity:<7} {}  {}", problem.pointer, problem.message));
    }
    for code in [
        "msg.traffic_account_id.not_uuid",
        "business_chat.carousel.too_few",
        "business_chat.carousel.small_tall",
        "business_chat.card.media.file_url",
        "business_chat.suggestion.text.too_long",
        "msg.field.misspelled",
    ] {
        t.expect(report.errors.iter().any(|problem| problem.code == code), code);
    }
}

/// Looks up four numbers: one without special properties, one ported, one roaming and one absent.
pub(crate) async fn lookup(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("Number lookup: one call, four numbers, results in the order of the request");
    let numbers = [PHONE, "99930112345", "99930212345", "99940412345"].map(str::to_owned).to_vec();
    let found = setup.client.call(lookup::LookUpNumbers::new(numbers.clone())).await?;
    for (result, kind) in found.iter().zip(["plain", "ported", "roaming", "absent"]) {
        let network = result.original_network.as_ref().and_then(|network| network.network_name.as_deref());
        let number = result.msisdn.as_deref().unwrap_or("-");
        t.say(format!("{kind:<8} {number:<13} {}", network.unwrap_or("-")));
    }
    let is = |index: usize, test: fn(&lookup::LookupResult) -> bool| found.get(index).is_some_and(test);
    let in_order = found.iter().filter_map(|result| result.msisdn.as_ref()).eq(&numbers);
    t.expect(in_order, "one element for each number, in order");
    t.expect(
        is(0, |one| one.ported == Some(false) && one.ported_network.is_none()),
        "the first number was never ported",
    );
    t.expect(
        is(1, |one| one.ported == Some(true) && one.ported_network.is_some()),
        "the second number was ported to another network",
    );
    t.expect(
        is(2, |one| one.roaming == Some(true) && one.roaming_network.is_some()),
        "the third number is roaming",
    );
    t.expect(is(3, |one| one.absent == Some(true)), "the fourth number is absent");
    Ok(())
}

/// Compares the usage records with the number of passcodes sent.
pub(crate) async fn usage(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("Usage: the records agree with the passcodes sent");
    let usage = setup.client.call(otp::GetUsage::new()).await?;
    for record in &usage.usage_records {
        let (channel, count) = (record.channel.as_deref(), record.count.as_deref());
        t.say(format!("{:<5} {}", channel.unwrap_or("-"), count.unwrap_or("-")));
    }
    let count = |channel: &str| {
        let record = usage.usage_records.iter().find(|record| record.channel.as_deref() == Some(channel));
        record.and_then(|record| record.count.as_deref())
    };
    t.expect(count("All") == Some("5"), "five passcodes were sent");
    t.expect(count("call") == Some("1"), "one of them was a call");
    let ledger = setup.sandbox.ledger().await;
    t.expect(!ledger.is_empty(), format!("the ledger contains {} messages", ledger.len()));
    Ok(())
}

/// Injects a fault: the provider closes the connection without a response. The outcome of the call must be unknown.
pub(crate) async fn outcomes(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A connection breaks: the call reports the outcome `unknown`");
    let before = setup.sandbox.ledger().await.len();
    let rule = |kind: &str| json!([{"match": {"op": "sms.send"}, "nth": 1, "kind": kind, "seed": 1}]);
    setup.sandbox.set_faults(rule("close-after-read")).await?;
    let lost =
        setup.client.call(sms::SendSms::new("Acme", PHONE, "Are you there?").reference("quickstart-1")).await;
    let error = lost.err().ok_or("the fault did not happen")?;
    t.say(error.to_string());
    t.expect(
        error.outcome == Outcome::Unknown,
        "the provider read the request and closed the connection: the outcome is unknown",
    );
    t.expect(error.attempts == 1, "the request was not sent a second time");
    let after = setup.sandbox.ledger().await.len();
    t.expect(after <= before + 1, "the ledger contains the message at most once");
    Ok(())
}
