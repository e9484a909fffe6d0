//! Rules of images and videos (D4).

use super::{CardMedia, ContentInfo, Image, MISPLACED_RICH_TEXT, MediaHeight};
use crate::problem::{Code, Pointer, Problems, Validate, codes};
use crate::rules::url::Url;
use crate::rules::{allowed_values, file_name, unknown_members};

const IMAGES: &[&str] = &["jpg", "jpeg", "png", "gif"];
const CARD_MEDIA: &[&str] = &["jpg", "jpeg", "png", "gif", "mp4", "m4v", "mpeg", "mpg", "webm", "3gp", "mov"];

fn file(code: &'static Code, text: &str, formats: &[&str], at: &Pointer<'_>, problems: &mut Problems) {
    let url = match Url::parse(text) {
        Ok(url) => url,
        Err(problem) => return problem.report(code, at, "fileUrl", problems),
    };
    if !url.is_https {
        problems.add_key(&codes::BUSINESS_CHAT_MEDIA_NOT_HTTPS, at, "fileUrl");
    }
    if file_name::is_other_than(&url, formats) {
        problems.add_key(&codes::BUSINESS_CHAT_MEDIA_EXTENSION, at, "fileUrl");
    }
}

fn thumbnail(text: Option<&str>, at: &Pointer<'_>, problems: &mut Problems) {
    match text.map(Url::parse) {
        None => {}
        Some(Err(problem)) => {
            problem.report(&codes::BUSINESS_CHAT_MEDIA_THUMBNAIL_URL, at, "thumbnailUrl", problems);
        }
        Some(Ok(url)) if !url.is_https => {
            problems.add_key(&codes::BUSINESS_CHAT_MEDIA_NOT_HTTPS, at, "thumbnailUrl");
        }
        Some(Ok(_)) => {}
    }
}

fn alt_text(text: Option<&str>, at: &Pointer<'_>, problems: &mut Problems) {
    if text.is_none_or(str::is_empty) {
        problems.add_key(&codes::BUSINESS_CHAT_MEDIA_ALT_TEXT, at, "altText");
    }
}

impl Validate for Image {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let code = &codes::BUSINESS_CHAT_IMAGE_FILE_URL_INVALID;
        file(code, &self.file_url, IMAGES, at, problems);
        thumbnail(self.thumbnail_url.as_deref(), at, problems);
        alt_text(self.alt_text.as_deref(), at, problems);
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

impl Validate for CardMedia {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        match &self.height {
            None => problems.add_key(&codes::BUSINESS_CHAT_CARD_MEDIA_HEIGHT_MISSING, at, "height"),
            Some(MediaHeight::Other(height)) => {
                let code = &codes::BUSINESS_CHAT_CARD_MEDIA_HEIGHT_UNKNOWN;
                allowed_values::unknown(code, height, MediaHeight::VALUES, at, "height", problems);
            }
            Some(_) => {}
        }
        match &self.content_info {
            Some(info) => info.check(&at.key("contentInfo"), problems),
            None => {
                let code = &codes::BUSINESS_CHAT_CARD_MEDIA_FILE_URL;
                problems.add_key(code, &at.key("contentInfo"), "fileUrl");
            }
        }
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

impl Validate for ContentInfo {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let code = &codes::BUSINESS_CHAT_CARD_MEDIA_FILE_URL;
        file(code, &self.file_url, CARD_MEDIA, at, problems);
        thumbnail(self.thumbnail_url.as_deref(), at, problems);
        alt_text(self.alt_text.as_deref(), at, problems);
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}
