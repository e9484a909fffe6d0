use crate::model::{model, open_enum};

mod check;

open_enum! {
    /// How a `messenger_c` text is parsed (D3).
    pub enum ParseMode {
        /// Plain text.
        Default = "Default",
        /// The legacy markup.
        Markdown = "Markdown",
        /// HTML tags.
        Html = "Html",
        /// The markup of today.
        MarkdownV2 = "MarkdownV2",
    }
}

model! {
    /// The `messenger_c` object (D3).
    pub struct MessengerC {
        optional {
            /// No sound notification.
            silent: bool = "silent",
            /// A text.
            text: Text = "text",
            /// A photo: at most 10 MB, width plus height at most 10,000, ratio at most 20.
            photo: Media = "photo",
            /// A document: `.gif`, `.pdf` or `.zip`.
            document: Media = "document",
            /// A video: `.mp4`, partly `.ogg`.
            video: Media = "video",
            /// A voice note: `.ogg` (OPUS) or `.mp3`.
            voice: Media = "voice",
            /// A place.
            location: Location = "location",
        }
    }
}

model! {
    /// The text of a `messenger_c` message (D3).
    pub struct Text {
        required {
            /// 1-4096 characters (code points) after parsing.
            message: String = "message",
        }
        optional {
            /// How the text is parsed.
            parse_mode: ParseMode = "parseMode",
            /// Disables link previews.
            no_preview: bool = "noPreview",
        }
    }
}

model! {
    /// A photo, document, video or voice note of a `messenger_c` message (D3).
    pub struct Media {
        required {
            /// The URL of the file.
            url: String = "url",
        }
        optional {
            /// 0-1024 characters (code points) after parsing.
            caption: String = "caption",
            /// How the caption is parsed.
            parse_mode: ParseMode = "parseMode",
            /// Ignored by the service.
            thumb: crate::value::Value = "thumb",
        }
    }
}

model! {
    /// A place (D3).
    pub struct Location {
        optional {
            /// Degrees, -90 to 90.
            latitude: f64 = "latitude" ! MESSENGER_C_LOCATION_LATITUDE,
            /// Degrees, -180 to 180.
            longitude: f64 = "longitude" ! MESSENGER_C_LOCATION_LONGITUDE,
        }
    }
}
