use crate::macros::model;

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
