use crate::model::model;
use crate::operation::Validate;
use crate::problem::{Pointer, Problems, codes};
use crate::rules::{members, sms};

model! {
    /// SMS as a channel of the messaging API (D1).
    pub struct Sms {
        required {
            /// The message text.
            text: String = "text",
        }
        optional {
            /// The sender: numeric 1-16 characters or alphanumeric 1-11 characters.
            sender: String = "sender",
        }
    }
}

impl Validate for Sms {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        sms::text(&self.text, &at.key("text"), problems);
        match self.sender.as_deref() {
            None => problems.add_key(&codes::SMS_SENDER_MISSING, at, "sender"),
            Some("") => problems.add_key(&codes::SMS_SENDER_EMPTY, at, "sender"),
            Some(sender) => sms::sender(sender, sms::Place::Channel, &at.key("sender"), problems),
        }
        members::unknown(self, at, problems);
    }
}
