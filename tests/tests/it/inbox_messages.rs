//! `Debug` of a message of the sandbox's inbox shows everything, so that a failed assertion of a test explains itself.

use std::panic::catch_unwind;

use cpaas_sandbox::InboxMessage;
use serde_json::json;

fn message(text: &str) -> InboxMessage {
    let members = json!({"n": 1, "id": "m-1", "channel": "sms", "direction": "out", "from": "Acme", "to": "306912345678",
        "text": text, "status": "Delivered", "otp": "482913", "reference": "order-7", "parts": 1});
    serde_json::from_value(members).unwrap()
}

#[test]
fn a_failed_assertion_shows_text_number_and_code() {
    let failed =
        catch_unwind(|| assert_eq!(message("482913 is your code"), message("another text"))).unwrap_err();
    let shown = failed.downcast_ref::<String>().unwrap();
    for expected in
        ["482913 is your code", "another text", "306912345678", "otp: Some(\"482913\")", "order-7", "parts"]
    {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}
