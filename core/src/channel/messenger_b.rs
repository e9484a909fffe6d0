use crate::model::{model, open_enum};

mod check;

open_enum! {
    /// The kind of a `messenger_b` message (D2).
    pub enum MessengerBType {
        /// Inside a session, billed by session.
        Session = "session",
        /// Promotional.
        Promotional = "promotional",
        /// Text with an optional related URL.
        Transactional = "transactional",
        /// Used by one sample of the specification.
        Regular = "regular",
    }
}

model! {
    /// The `messenger_b` object (D2).
    pub struct MessengerB {
        optional {
            /// The kind of message.
            kind: MessengerBType = "type",
            /// The message text.
            text: String = "text",
            /// The URL of an image.
            media_url: String = "mediaUrl",
            /// How long delivery is tried, in seconds: 30 to 1,209,600; 60 or more is recommended.
            ttl: i64 = "ttl" ! MESSENGER_B_TTL_NOT_INTEGER,
            /// A button below the text.
            button: Button = "button",
            /// A file, sent alone.
            file: File = "file",
        }
    }
}

model! {
    /// The button of a `messenger_b` message (D2).
    pub struct Button {
        optional {
            /// What stands on the button.
            caption: String = "caption",
            /// A URL, or a scheme of the channel.
            action: String = "action",
        }
    }
}

model! {
    /// The file of a `messenger_b` message (D2): at most 200 MB.
    pub struct File {
        required {
            /// The URL of the file.
            media_url: String = "mediaUrl",
        }
        optional {
            /// Its name, at most 25 characters; taken from the URL when absent.
            file_name: String = "fileName",
        }
    }
}
