//! The `messenger_b` object (D2) and its rules.

use crate::model::{model, open_enum};
use crate::problem::{Pointer, Problems, Validate, codes};
use crate::rules::unknown_members;
use crate::rules::url::{self, Url};
use crate::rules::{allowed_values, file_name, length};

open_enum! {
    /// The kind of a `messenger_b` message (D2).
    pub enum MessengerBType {
        /// A message in a session, billed by session.
        Session = "session",
        /// Promotional.
        Promotional = "promotional",
        /// Text with an optional related URL.
        Transactional = "transactional",
        /// Used in one sample of the specification.
        Regular = "regular",
    }
}

model! {
    /// The `messenger_b` object (D2).
    pub struct MessengerB {
        optional {
            /// The kind of message.
            kind: MessengerBType = "type" where Shown & Closed,
            /// The message text.
            text: String = "text",
            /// The URL of an image.
            media_url: String = "mediaUrl" where Url,
            /// The time for which delivery is attempted, in seconds: 30 to 1,209,600; 60 or more is recommended.
            ttl: i64 = "ttl" ! MESSENGER_B_TTL_NOT_INTEGER where Min(TTL_MIN) & Max(TTL_MAX),
            /// A button below the text.
            button: Button = "button",
            /// A file, without a text, an image or a button.
            file: File = "file",
        }
    }
}

model! {
    /// The button of a `messenger_b` message (D2).
    pub struct Button {
        optional {
            /// The label of the button.
            caption: String = "caption",
            /// A URL, or a URI with a scheme of the channel.
            action: String = "action",
        }
    }
}

model! {
    /// The file of a `messenger_b` message (D2): at most 200 MB.
    pub struct File {
        required {
            /// The URL of the file.
            media_url: String = "mediaUrl" where Url,
        }
        optional {
            /// The name of the file, at most 25 characters; if absent, the file name of the URL.
            file_name: String = "fileName" where MaxLength(NAME_MAX),
        }
    }
}

const TTL_MIN: i64 = 30;
const TTL_RECOMMENDED: i64 = 60;
const TTL_MAX: i64 = 1_209_600;
const TEXT_LONG: usize = 1000;
const URL_LONG: usize = 1000;
const CAPTION_LONG: usize = 30;
const NAME_MAX: usize = 25;
const IMAGES: &[&str] = &["jpg", "jpeg", "png"];
const DOCUMENTS: &[&str] = &[
    "doc", "docx", "rtf", "dot", "dotx", "odt", "odf", "fodt", "txt", "info", "pdf", "xps", "pdax", "eps",
    "xls", "xlsx", "ods", "fods", "csv", "xlsm", "xltx",
];

fn is_blank(text: Option<&String>) -> bool {
    text.is_none_or(String::is_empty)
}

impl Validate for MessengerB {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let no_text = is_blank(self.text.as_ref());
        let has_content = self.text.is_some() || self.media_url.is_some() || self.file.is_some();
        if !has_content && self.extra.iter().next().is_none() {
            problems.add(&codes::MESSENGER_B_CONTENT_MISSING, at);
        }
        if self.kind == Some(MessengerBType::Transactional)
            && (self.media_url.is_some() || self.file.is_some())
        {
            problems.add(&codes::MESSENGER_B_TRANSACTIONAL_MEDIA, at);
        }
        kind(self.kind.as_ref(), at, problems);
        if let Some(text) = &self.text {
            length::at_most(&codes::MESSENGER_B_TEXT_LONG, text, TEXT_LONG, at, "text", problems);
        }
        if let Some(url) = &self.media_url {
            media_url(url, at, problems);
        }
        if let Some(seconds) = self.ttl {
            ttl(seconds, at, problems);
        }
        if let Some(button) = &self.button {
            if no_text {
                problems.add_key(&codes::MESSENGER_B_BUTTON_WITHOUT_TEXT, at, "button");
            }
            button.check(&at.key("button"), problems);
        }
        if let Some(file) = &self.file {
            if !no_text || self.media_url.is_some() || self.button.is_some() {
                problems.add_key(&codes::MESSENGER_B_FILE_NOT_ALONE, at, "file");
            }
            file.check(&at.key("file"), problems);
        }
        unknown_members::unknown(self, at, problems);
    }
}

fn kind(kind: Option<&MessengerBType>, at: &Pointer<'_>, problems: &mut Problems) {
    match kind {
        None => problems.add_key(&codes::MESSENGER_B_TYPE_MISSING, at, "type"),
        Some(MessengerBType::Other(kind)) => {
            let code = &codes::MESSENGER_B_TYPE_UNKNOWN;
            allowed_values::unknown(code, kind, MessengerBType::VALUES, at, "type", problems);
        }
        Some(_) => {}
    }
}

fn media_url(text: &str, at: &Pointer<'_>, problems: &mut Problems) {
    match Url::parse(text) {
        Err(problem) => problem.report(&codes::MESSENGER_B_MEDIA_URL_INVALID, at, "mediaUrl", problems),
        Ok(url) => {
            let extension = url.last_segment().and_then(file_name::extension);
            if extension.is_some_and(|extension| !file_name::is_in(extension, IMAGES)) {
                problems.add_key(&codes::MESSENGER_B_MEDIA_URL_NOT_IMAGE, at, "mediaUrl");
            }
        }
    }
    length::at_most_whole(&codes::MESSENGER_B_MEDIA_URL_LONG, text, URL_LONG, at, "mediaUrl", problems);
}

fn ttl(seconds: i64, at: &Pointer<'_>, problems: &mut Problems) {
    let (code, limit) = match seconds {
        ..TTL_MIN => (&codes::MESSENGER_B_TTL_TOO_SMALL, TTL_MIN),
        TTL_MIN..TTL_RECOMMENDED => (&codes::MESSENGER_B_TTL_BELOW_RECOMMENDED, TTL_RECOMMENDED),
        TTL_RECOMMENDED..=TTL_MAX => return,
        _ => (&codes::MESSENGER_B_TTL_TOO_LARGE, TTL_MAX),
    };
    problems.report_key(code, at, "ttl").limit(limit, seconds, "seconds");
}

impl Validate for Button {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if is_blank(self.caption.as_ref()) || is_blank(self.action.as_ref()) {
            problems.add(&codes::MESSENGER_B_BUTTON_INCOMPLETE, at);
        }
        if let Some(caption) = &self.caption {
            let code = &codes::MESSENGER_B_BUTTON_CAPTION_LONG;
            length::at_most(code, caption, CAPTION_LONG, at, "caption", problems);
        }
        if let Some(action) = self.action.as_deref().filter(|action| !action.is_empty()) {
            if let Err(problem) = url::check_action(action) {
                problem.report(&codes::MESSENGER_B_BUTTON_ACTION_INVALID, at, "action", problems);
            }
            let code = &codes::MESSENGER_B_BUTTON_ACTION_LONG;
            length::at_most_whole(code, action, URL_LONG, at, "action", problems);
        }
        unknown_members::unknown(self, at, problems);
    }
}

impl Validate for File {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let url = Url::parse(&self.media_url);
        if let Err(problem) = url {
            problem.report(&codes::MESSENGER_B_FILE_MEDIA_URL_REQUIRED, at, "mediaUrl", problems);
        }
        match (self.file_name.as_deref().filter(|name| !name.is_empty()), url) {
            (Some(name), _) => {
                let code = &codes::MESSENGER_B_FILE_NAME_TOO_LONG;
                length::at_most_whole(code, name, NAME_MAX, at, "fileName", problems);
                format(name, at, problems);
            }
            (None, Ok(url)) => derived(&url, at, problems),
            (None, Err(_)) => {}
        }
        unknown_members::unknown(self, at, problems);
    }
}

fn derived(url: &Url<'_>, at: &Pointer<'_>, problems: &mut Problems) {
    match file_name::from_url(url) {
        None => problems.add_key(&codes::MESSENGER_B_FILE_NAME_UNDERIVABLE, at, "fileName"),
        Some(name) => {
            let code = &codes::MESSENGER_B_FILE_NAME_DERIVED_TOO_LONG;
            length::at_most_whole(code, &name, NAME_MAX, at, "mediaUrl", problems);
            format(&name, at, problems);
        }
    }
}

fn format(name: &str, at: &Pointer<'_>, problems: &mut Problems) {
    match file_name::extension(name) {
        None => problems.add_key(&codes::MESSENGER_B_FILE_NAME_EXTENSION_MISSING, at, "fileName"),
        Some(extension) if !file_name::is_in(extension, DOCUMENTS) => {
            problems.add_key(&codes::MESSENGER_B_FILE_EXTENSION, at, "fileName");
        }
        Some(_) => {}
    }
}
