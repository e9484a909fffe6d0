//! The `messenger_c` object (D3) and its rules.

use crate::markup::{MAX_CAPTION, MAX_MESSAGE};
use crate::model::{model, open_enum};
use crate::problem::{Code, Pointer, Problems, Validate, codes};
use crate::rules::length::{BYTES, CODE_POINTS, UTF16_UNITS};
use crate::rules::url::Url;
use crate::rules::{file_name, markup_problems, unknown_members};

open_enum! {
    /// The parse mode of a `messenger_c` text (D3).
    pub enum ParseMode {
        /// Plain text.
        Default = "Default",
        /// The legacy markup.
        Markdown = "Markdown",
        /// HTML tags.
        Html = "Html",
        /// The current markup.
        MarkdownV2 = "MarkdownV2",
    }
}

model! {
    /// The `messenger_c` object (D3).
    pub struct MessengerC {
        optional {
            /// Sends the message without a notification sound.
            silent: bool = "silent",
            /// A text.
            text: Text = "text",
            /// A photo: at most 10 MiB (10,485,760 bytes), width plus height at most 10,000 pixels, the longer side at most 20
            /// times the shorter.
            photo: Media = "photo",
            /// A document: `.gif`, `.pdf` or `.zip`.
            document: Media = "document",
            /// A video: `.mp4`, or `.ogg`, which is only partly supported.
            video: Media = "video",
            /// A voice note: `.ogg` (OPUS) or `.mp3`.
            voice: Media = "voice",
            /// A location.
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
            /// The parse mode of the text.
            parse_mode: ParseMode = "parseMode" where Shown,
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
            url: String = "url" where Url,
        }
        optional {
            /// 0-1024 characters (code points) after parsing.
            caption: String = "caption",
            /// The parse mode of the caption.
            parse_mode: ParseMode = "parseMode" where Shown,
            /// Ignored by the service.
            thumb: crate::value::Value = "thumb",
        }
    }
}

model! {
    /// A location (D3).
    pub struct Location {
        optional {
            /// Degrees, -90 to 90.
            latitude: f64 = "latitude" ! MESSENGER_C_LOCATION_LATITUDE where Min(-90) & Max(90),
            /// Degrees, -180 to 180.
            longitude: f64 = "longitude" ! MESSENGER_C_LOCATION_LONGITUDE where Min(-180) & Max(180),
        }
    }
}

const RAW_LARGE: usize = 32_768;

/// A kind of media: its name, and its file extensions if they are documented.
struct Kind {
    name: &'static str,
    formats: Option<(&'static Code, &'static [&'static str])>,
}

const PHOTO: Kind = Kind { name: "photo", formats: None };
const DOCUMENT: Kind = Kind {
    name: "document",
    formats: Some((&codes::MESSENGER_C_DOCUMENT_EXTENSION, &["gif", "pdf", "zip"])),
};
const VIDEO: Kind =
    Kind { name: "video", formats: Some((&codes::MESSENGER_C_VIDEO_EXTENSION, &["mp4", "ogg"])) };
const VOICE: Kind =
    Kind { name: "voice", formats: Some((&codes::MESSENGER_C_VOICE_EXTENSION, &["ogg", "mp3"])) };

impl Validate for MessengerC {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let media = [
            (&self.photo, &PHOTO),
            (&self.document, &DOCUMENT),
            (&self.video, &VIDEO),
            (&self.voice, &VOICE),
        ];
        let contents = media.iter().filter(|(media, _)| media.is_some()).count()
            + usize::from(self.text.is_some())
            + usize::from(self.location.is_some());
        match contents {
            0 => problems.add(&codes::MESSENGER_C_CONTENT_MISSING, at),
            1 => {}
            _ => problems.add(&codes::MESSENGER_C_CONTENT_MULTIPLE, at),
        }
        if let Some(text) = &self.text {
            text.check(&at.key("text"), problems);
        }
        for (media, kind) in &media {
            if let Some(media) = media {
                media.check_as(kind, &at.key(kind.name), problems);
            }
        }
        if let Some(location) = &self.location {
            location.check(&at.key("location"), problems);
        }
        unknown_members::unknown(self, at, problems);
    }
}

impl Validate for Text {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let at_message = at.key("message");
        if self.message.len() > RAW_LARGE {
            let code = &codes::MESSENGER_C_TEXT_RAW_TOO_LARGE;
            problems.report(code, &at_message).limit(RAW_LARGE, self.message.len(), BYTES);
        }
        let mode = markup_problems::mode(self.parse_mode.as_ref(), at, problems);
        let too_long = &codes::MESSENGER_C_TEXT_TOO_LONG;
        let parsed = mode
            .and_then(|mode| markup_problems::parse(&self.message, mode, too_long, &at_message, problems));
        match parsed.map(|parsed| (parsed.sent.code_points, parsed.sent.utf16_units)) {
            None if mode.is_none() && self.message.is_empty() => {
                problems.add(&codes::MESSENGER_C_TEXT_EMPTY, &at_message);
            }
            None => {}
            Some((0, _)) => problems.add(&codes::MESSENGER_C_TEXT_EMPTY, &at_message),
            Some((count, _)) if count > MAX_MESSAGE => {
                problems.report(too_long, &at_message).limit(MAX_MESSAGE, count, CODE_POINTS);
            }
            Some((_, units)) if units > MAX_MESSAGE => {
                let code = &codes::MESSENGER_C_TEXT_UTF16_OVER;
                problems.report(code, &at_message).limit(MAX_MESSAGE, units, UTF16_UNITS);
            }
            Some(_) => {}
        }
        unknown_members::unknown(self, at, problems);
    }
}

impl Media {
    fn check_as(&self, kind: &Kind, at: &Pointer<'_>, problems: &mut Problems) {
        match Url::parse(&self.url) {
            Err(problem) => problem.report(&codes::MESSENGER_C_MEDIA_URL_REQUIRED, at, "url", problems),
            Ok(url) => format(&url, kind, at, problems),
        }
        let mode = markup_problems::mode(self.parse_mode.as_ref(), at, problems);
        if let (Some(caption), Some(mode)) = (&self.caption, mode) {
            let (at_caption, too_long) = (at.key("caption"), &codes::MESSENGER_C_CAPTION_TOO_LONG);
            let count = markup_problems::parse(caption, mode, too_long, &at_caption, problems)
                .map(|parsed| parsed.sent.code_points);
            if let Some(count) = count.filter(|count| *count > MAX_CAPTION) {
                problems.report(too_long, &at_caption).limit(MAX_CAPTION, count, CODE_POINTS);
            }
        }
        if self.thumb.is_some() {
            let code = match kind.name {
                "document" | "video" => &codes::MESSENGER_C_THUMB_IGNORED,
                _ => &codes::MSG_FIELD_UNKNOWN,
            };
            problems.add_key(code, at, "thumb");
        }
        unknown_members::unknown(self, at, problems);
    }
}

fn format(url: &Url<'_>, kind: &Kind, at: &Pointer<'_>, problems: &mut Problems) {
    let Some((code, formats)) = kind.formats else { return };
    if file_name::is_other_than(url, formats) {
        problems.add_key(code, at, "url");
    }
    let extension = url.last_segment().and_then(file_name::extension);
    if kind.name == "video" && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("ogg")) {
        problems.add_key(&codes::MESSENGER_C_VIDEO_OGG, at, "url");
    }
}

impl Validate for Location {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let outside = |degrees: Option<f64>, limit: f64| degrees.is_none_or(|degrees| degrees.abs() > limit);
        if outside(self.latitude, 90.0) {
            problems.add_key(&codes::MESSENGER_C_LOCATION_LATITUDE, at, "latitude");
        }
        if outside(self.longitude, 180.0) {
            problems.add_key(&codes::MESSENGER_C_LOCATION_LONGITUDE, at, "longitude");
        }
        unknown_members::unknown(self, at, problems);
    }
}
