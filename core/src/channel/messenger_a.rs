//! The `messenger_a` object (D1) and its rules.

use crate::model::{model, open_enum};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::rules::{allowed_values, length, unknown_members};

open_enum! {
    /// The kind of a `messenger_a` message; one value is documented.
    pub enum MessengerAType {
        /// `regular`
        Regular = "regular",
    }
}

open_enum! {
    /// The kind of a regular `messenger_a` message; one value is documented.
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
            kind: MessengerAType = "type" where Shown,
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
            kind: RegularType = "type" where Shown,
        }
    }
}

impl MessengerA {
    /// A regular text message, the documented form.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new().kind(MessengerAType::Regular).regular(Regular::new(text).kind(RegularType::Text))
    }
}

const TEXT_LONG: usize = 4096;

impl Validate for MessengerA {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if let Some(MessengerAType::Other(kind)) = &self.kind {
            let code = &codes::MESSENGER_A_TYPE_UNKNOWN;
            allowed_values::unknown(code, kind, MessengerAType::VALUES, at, "type", problems);
        }
        let is_regular = match &self.kind {
            Some(kind) => *kind == MessengerAType::Regular,
            None => self.extra.is_empty(),
        };
        match &self.regular {
            Some(regular) => regular.check(&at.key("regular"), problems),
            None if is_regular => problems.add_key(&codes::MESSENGER_A_REGULAR_REQUIRED, at, "regular"),
            None => {}
        }
        unknown_members::unknown(self, at, problems);
    }
}

impl Validate for Regular {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let is_text = matches!(&self.kind, None | Some(RegularType::Text));
        if self.text.is_empty() && is_text {
            problems.add_key(&codes::MESSENGER_A_TEXT_REQUIRED, at, "text");
        }
        length::at_most(&codes::MESSENGER_A_TEXT_LONG, &self.text, TEXT_LONG, at, "text", problems);
        if let Some(RegularType::Other(kind)) = &self.kind {
            let code = &codes::MESSENGER_A_REGULAR_TYPE_UNKNOWN;
            allowed_values::unknown(code, kind, RegularType::VALUES, at, "type", problems);
        }
        unknown_members::unknown(self, at, problems);
    }
}
