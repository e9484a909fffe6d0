//! Rules of a `business_chat` message (D4), apart from cards, media and suggestions.

use super::{
    BusinessChat, MISPLACED_RICH_TEXT, Representative, RepresentativeType, RichText, suggestion_rules,
};
use crate::json::json_size::JsonSize;
use crate::problem::{Code, Pointer, Problems, Validate, codes};
use crate::rules::{allowed_values, basic_markdown, length, unknown_members, url};

const TEXT_LONG: usize = 3072;
const PAYLOAD_LARGE: usize = 256_000;
pub(super) const SUGGESTIONS_MAX: usize = 13;
const SUGGESTIONS_SHOWN: usize = 11;

impl Validate for BusinessChat {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let contents = usize::from(self.text.is_some())
            + usize::from(self.image.is_some())
            + usize::from(self.standalone_card.is_some())
            + usize::from(self.carousel_card.is_some());
        match contents {
            0 => problems.add(&codes::BUSINESS_CHAT_CONTENT_MISSING, at),
            1 => {}
            _ => problems.add(&codes::BUSINESS_CHAT_CONTENT_MULTIPLE, at),
        }
        let size = self.json_size();
        if size > PAYLOAD_LARGE {
            problems.report(&codes::BUSINESS_CHAT_PAYLOAD_LARGE, at).limit(
                PAYLOAD_LARGE,
                size,
                length::BYTES,
            );
        }
        if let Some(text) = &self.text {
            text.check(&at.key("text"), problems);
        }
        if let Some(image) = &self.image {
            image.check(&at.key("image"), problems);
        }
        if let Some(list) = &self.suggestions {
            let (code, limit): (&'static Code, _) = if list.len() > SUGGESTIONS_MAX {
                (&codes::BUSINESS_CHAT_SUGGESTIONS_TOO_MANY, SUGGESTIONS_MAX)
            } else {
                (&codes::BUSINESS_CHAT_SUGGESTIONS_OVER_11, SUGGESTIONS_SHOWN)
            };
            suggestion_rules::check(list, code, limit, at, problems);
        }
        if let Some(card) = &self.standalone_card {
            card.check(&at.key("standaloneCard"), problems);
        }
        if let Some(carousel) = &self.carousel_card {
            carousel.check(&at.key("carouselCard"), problems);
        }
        self.check_fallback(at, problems);
        if let Some(representative) = &self.representative {
            representative.check(&at.key("representative"), problems);
        }
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

impl BusinessChat {
    fn check_fallback(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let fallback = self.fallback.as_deref().unwrap_or_default();
        if fallback.is_empty() {
            problems.add_key(&codes::BUSINESS_CHAT_FALLBACK_MISSING, at, "fallback");
        }
        let code = &codes::BUSINESS_CHAT_FALLBACK_LONG;
        length::at_most(code, fallback, TEXT_LONG, at, "fallback", problems);
        if self.force_fallback == Some(true) {
            if fallback.is_empty() {
                let code = &codes::BUSINESS_CHAT_FORCE_FALLBACK_WITHOUT_FALLBACK;
                problems.add_key(code, at, "forceFallback");
            }
            problems.add_key(&codes::BUSINESS_CHAT_FORCE_FALLBACK_ON, at, "forceFallback");
        }
    }
}

impl Validate for RichText {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let found = basic_markdown::read(&self.message);
        let is_rich = self.contains_rich_text == Some(true);
        if found.present && !is_rich {
            problems.add(&codes::BUSINESS_CHAT_RICH_TEXT_FLAG_MISSING, at);
        }
        if self.message.is_empty() {
            problems.add_key(&codes::BUSINESS_CHAT_TEXT_EMPTY, at, "message");
        }
        let code = &codes::BUSINESS_CHAT_TEXT_LONG;
        length::at_most(code, &self.message, TEXT_LONG, at, "message", problems);
        if found.malformed && is_rich {
            problems.add_key(&codes::BUSINESS_CHAT_RICH_TEXT_MALFORMED, at, "message");
        }
        unknown_members::unknown(self, at, problems);
    }
}

impl Validate for Representative {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if let Some(Err(problem)) = self.avatar_image.as_deref().map(url::Url::parse) {
            problem.report(&codes::BUSINESS_CHAT_REPRESENTATIVE_AVATAR, at, "avatarImage", problems);
        }
        if let Some(RepresentativeType::Other(kind)) = &self.representative_type {
            let code = &codes::BUSINESS_CHAT_REPRESENTATIVE_TYPE;
            allowed_values::unknown(
                code,
                kind,
                RepresentativeType::VALUES,
                at,
                "representativeType",
                problems,
            );
        }
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}
