//! Delivery reports that a receiver verifies: genuine and forged, early, of failed deliveries, of other campaigns, and of rows
//! without a permit.

use crate::support::{Scratch, assert_adds_up, claim, create, settlement, token, view, won};
use cpaas::callback::Receiver;
use cpaas_campaign::campaign::{self, reference, status};
use cpaas_campaign::journal::Settings;
use cpaas_campaign::protocol::RowOutcome;
use serde_json::{Value, json};

const NOW: u64 = 1_800_000_000;

fn receiver(secret: &str) -> Receiver {
    let config = json!({
        "audience": "campaigns", "public_url": "https://example.com",
        "delivery_keys": {"keys": [{"kid": "r1", "secret": secret}]},
        "endpoints": [{"path": "/sms", "sources": ["sms_report"]}],
    });
    Receiver::from_json(&config.to_string()).unwrap()
}

/// Passes a report with a token of `signer` to `receiver`. Returns the report's reference if `receiver` accepts the token.
fn received(receiver: &Receiver, signer: &Receiver, reference: &str, status: &str) -> Option<String> {
    let mint = json!({"source": "sms_report", "reference": reference}).to_string();
    let minted: Value = serde_json::from_str(&signer.mint_json(&mint, NOW).unwrap()).unwrap();
    let url = minted["url"].as_str().unwrap();
    let url = format!("{url}&msgid=m-1&status={status}&reference={reference}");
    let request = json!({"method": "GET", "url": url}).to_string();
    let result: Value = serde_json::from_str(&receiver.receive_json(&request, NOW).unwrap()).unwrap();
    result["event"]["reference"].as_str().map(str::to_owned)
}

#[test]
fn only_genuine_reports_settle_rows_and_a_report_of_a_failure_proves_acceptance() {
    let ours = receiver("a secret of at least 32 bytes, for the tests");
    let forger = receiver("another secret of at least 32 bytes, of a forger");
    let scratch = Scratch::new();
    let mut journal = scratch.journal();
    let id = create(&mut journal, "c", 10, Settings::default());
    let owner = journal.register_owner(&id).unwrap();
    let mut view = view(&mut journal, &id);
    let permit = won(claim(&mut journal, &id, owner, token(), &mut view));
    assert_eq!(received(&ours, &forger, &reference(&id, 0, 1), "delivered"), None, "forged");
    // Early: before the outcome of the row is stored. It reports a failure of the delivery.
    let early = received(&ours, &ours, &reference(&id, 0, 1), "undelivered").unwrap();
    assert_eq!(campaign::report(&mut journal, "c", [early]).unwrap().settled, 1);
    assert_eq!(status(&mut journal, "c").unwrap().accepted, 1);
    let settlements =
        [settlement(&permit, 0, RowOutcome::NotSent), settlement(&permit, 1, RowOutcome::NotSent)];
    journal.exchange(&id, owner, &settlements, 0, None).unwrap();
    let found = status(&mut journal, "c").unwrap();
    assert_adds_up(&found);
    assert_eq!((found.accepted, found.pending, found.in_flight), (1, 9, 0), "the row is not sent again");
    // Foreign: of another campaign, of another program, and of rows that do not exist.
    let foreign = [reference("00ff00ff00ff00ff", 0, 1), "order-7".to_owned(), reference(&id, 10, 1)];
    let found = campaign::report(&mut journal, "c", foreign).unwrap();
    assert_eq!((found.foreign, found.settled, found.impossible), (3, 0, 0));
    assert_eq!(status(&mut journal, "c").unwrap().state, "running");
    // A row without a permit was sent: the journal has lost commits, and nothing more is sent.
    let found = campaign::report(&mut journal, "c", [reference(&id, 7, 1)]).unwrap();
    assert_eq!(found.impossible, 1);
    let found = status(&mut journal, "c").unwrap();
    assert_eq!((found.state, found.reason.as_deref()), ("halted", Some("lost_commits")));
}
