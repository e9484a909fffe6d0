//! Steps with SMS: a long text, and bulk.

use std::time::Duration;

use cpaas::{sms, text};
use cpaas_sandbox::MessageFilter;

use crate::transcript::{Failure, Transcript};
use crate::{PHONE, Setup};

/// Sends 529 characters outside the default alphabet: eight parts with one call and one id.
pub(crate) async fn long_text(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("An SMS of 529 unicode characters: one call, one id, eight parts");
    let long = "я".repeat(529);
    let count = text::count(&long);
    t.say(format!(
        "{:?}: {} parts of at most 67 units, {} left in the last",
        count.encoding, count.count, count.remaining
    ));
    t.expect(count.count == 8, "529 unicode characters are 8 parts");
    t.expect(text::count(&"a".repeat(529)).count == 4, "529 characters of the default alphabet are 4 parts");
    let sent = setup
        .client
        .call(sms::SendSms::new("Acme", PHONE, long.as_str()).reference("quickstart-long"))
        .await?;
    t.expect(sent.response_code == 0 && !sent.id.is_empty(), format!("accepted with one id: {}", sent.id));
    t.expect(sent.text_length == Some(529), "the response reports 529 characters");
    let cause = text::causes("it’s here").into_iter().next().and_then(|cause| cause.replacement);
    t.expect(
        cause == Some("'"),
        "a typographic apostrophe reduces a single SMS from 160 to 70 characters; a plain one does not",
    );
    Ok(())
}

/// Sends a bulk SMS; a number that is listed twice receives two messages.
pub(crate) async fn bulk(setup: &Setup, t: &mut Transcript) -> Result<(), Failure> {
    t.step("A bulk SMS that lists a number twice: one message for each occurrence");
    let sent = setup
        .client
        .call(sms::SendBulkSms::new("Acme", "306900000001,306900000002,306900000001", "Doors open"))
        .await?;
    for message in &sent.messages {
        let (id, to) = (message.id.as_deref(), message.to.as_deref());
        t.say(format!("{} -> {}", id.unwrap_or("-"), to.unwrap_or("-")));
    }
    t.expect(sent.messages.len() == 3, "three ids for three occurrences");
    let inbox = setup.sandbox.messages(&MessageFilter::to("306900000001")).await;
    t.expect(inbox.len() == 2, "the number listed twice received two messages");
    let arrived = setup
        .sandbox
        .wait_for(&MessageFilter::to("306900000002").contains("Doors"), Duration::from_secs(5))
        .await;
    t.expect(arrived.is_some(), "the other number received one");
    Ok(())
}
