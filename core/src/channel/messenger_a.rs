use crate::macros::{model, open_enum};

open_enum! {
    /// The kind of a `messenger_a` message; the specification shows one.
    pub enum MessengerAType {
        /// `regular`
        Regular = "regular",
    }
}

open_enum! {
    /// The kind of a regular `messenger_a` message; the specification shows one.
    pub enum RegularType {
        /// `text`
        Text = "text",
    }
}

model! {
    /// The `messenger_a` object (D1).
    pub struct MessengerA {
        optional {
            /// The kind of message.
            kind: MessengerAType = "type",
            /// The regular message.
            regular: Regular = "regular",
        }
    }
}

model! {
    /// A regular `messenger_a` message (D1).
    pub struct Regular {
        required {
            /// The message text.
            text: String = "text",
        }
        optional {
            /// The kind of content.
            kind: RegularType = "type",
        }
    }
}

impl MessengerA {
    /// A regular text message, the form that the specification shows.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().kind(MessengerAType::Regular).regular(Regular::new(text).kind(RegularType::Text))
    }
}
