//! SMS: parts and bulk.

use std::time::Duration;

use cpaas::{sms, text};
use cpaas_sandbox::MessageFilter;

use crate::transcript::{Failure, Transcript};
use crate::{PHONE, Stage};

/// 529 characters that are not in the default alphabet: eight parts, one call, one id.
pub(crate) async fn long_text(stage: &Stage, t: &mut Transcript) -> Result<(), Failure> {
    t.step("An SMS of 529 unicode characters: one call, one id, eight parts");
    let long = "я".repeat(529);
    let count = text::count(&long);
    t.say(format!(
        "{:?}: {} parts of at most 67 units, {} left in the last",
        count.encoding, count.count, count.remaining
    ));
    t.expect(count.count == 8, "529 unicode characters are 8 parts");
    t.expect(text::count(&"a".repeat(529)).count == 4, "529 characters of the default alphabet are 4");
    let sent = stage.client.call(sms::Send::new("Acme", PHONE, long.as_str()).reference("tour-long")).await?;
    t.expect(sent.response_code == 0 && !sent.id.is_empty(), format!("accepted with one id: {}", sent.id));
    t.expect(sent.text_length == Some(529), "the response reports 529 characters");
    let cause = text::causes("it’s here").into_iter().next().and_then(|cause| cause.replacement);
    t.expect(
        cause == Some("'"),
        "a typographic apostrophe costs 90 characters of room; a plain one does not",
    );
    Ok(())
}

/// A number that is listed twice gets two messages.
pub(crate) async fn bulk(stage: &Stage, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A bulk SMS with a number twice: a message for each occurrence");
    let sent = stage
        .client
        .call(sms::SendBulk::new("Acme", "306900000001,306900000002,306900000001", "Doors open"))
        .await?;
    for message in &sent.messages {
        let (id, to) = (message.id.as_deref(), message.to.as_deref());
        t.say(format!("{} -> {}", id.unwrap_or("-"), to.unwrap_or("-")));
    }
    t.expect(sent.messages.len() == 3, "three ids for three occurrences");
    let inbox = stage.sandbox.messages(&MessageFilter::to("306900000001")).await;
    t.expect(inbox.len() == 2, "the doubled number got two");
    let there = stage
        .sandbox
        .wait_for(&MessageFilter::to("306900000002").contains("Doors"), Duration::from_secs(5))
        .await;
    t.expect(there.is_some(), "the other got one");
    Ok(())
}
