//! Rules of `business_chat` (D4): the message around its cards.

use super::{BusinessChat, Representative, RepresentativeType, RichText, suggestion};
use crate::operation::Validate;
use crate::problem::{Pointer, Problems, codes};
use crate::rules::members::{self, Own};
use crate::rules::{choice, length, rich, url};

const TEXT_LONG: usize = 3072;
const PAYLOAD_LARGE: usize = 256_000;
const SUGGESTIONS_MAX: usize = 13;
const SUGGESTIONS_SHOWN: usize = 11;

/// `containsRichText` is told apart from other members that do not belong somewhere.
pub(super) fn misplaced(name: &str) -> Own {
    (name == "containsRichText").then_some(Some(&codes::BUSINESS_CHAT_RICH_TEXT_MISPLACED))
}

impl Validate for BusinessChat {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let contents = [
            self.text.is_some(),
            self.image.is_some(),
            self.standalone_card.is_some(),
            self.carousel_card.is_some(),
        ];
        match contents.iter().filter(|is_set| **is_set).count() {
            0 => problems.add(&codes::BUSINESS_CHAT_CONTENT_MISSING, at),
            1 => {}
            _ => problems.add(&codes::BUSINESS_CHAT_CONTENT_MULTIPLE, at),
        }
        let size = self.size_over(PAYLOAD_LARGE);
        if size > PAYLOAD_LARGE {
            problems.tell(&codes::BUSINESS_CHAT_PAYLOAD_LARGE, at).limit(PAYLOAD_LARGE, size, length::BYTES);
        }
        if let Some(text) = &self.text {
            text.check(&at.key("text"), problems);
        }
        if let Some(image) = &self.image {
            image.check(&at.key("image"), problems);
        }
        if let Some(list) = &self.suggestions {
            let place = at.key("suggestions");
            if list.len() > SUGGESTIONS_MAX {
                let code = &codes::BUSINESS_CHAT_SUGGESTIONS_TOO_MANY;
                problems.tell(code, &place).limit(SUGGESTIONS_MAX, list.len(), length::ITEMS);
            } else if list.len() > SUGGESTIONS_SHOWN {
                let code = &codes::BUSINESS_CHAT_SUGGESTIONS_OVER_11;
                problems.tell(code, &place).limit(SUGGESTIONS_SHOWN, list.len(), length::ITEMS);
            }
            suggestion::check(list, &place, problems);
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
        members::unknown_or(self, &self.extra, at, problems, &misplaced);
    }
}

impl BusinessChat {
    fn check_fallback(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let place = at.key("fallback");
        let fallback = self.fallback.as_deref().unwrap_or_default();
        if fallback.is_empty() {
            problems.add(&codes::BUSINESS_CHAT_FALLBACK_MISSING, &place);
        }
        length::at_most(&codes::BUSINESS_CHAT_FALLBACK_LONG, fallback, TEXT_LONG, &place, problems);
        if self.force_fallback == Some(true) {
            let place = at.key("forceFallback");
            if fallback.is_empty() {
                problems.add(&codes::BUSINESS_CHAT_FORCE_FALLBACK_WITHOUT_FALLBACK, &place);
            }
            problems.add(&codes::BUSINESS_CHAT_FORCE_FALLBACK_ON, &place);
        }
    }
}

impl Validate for RichText {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let place = at.key("message");
        let found = rich::read(&self.message);
        let is_rich = self.contains_rich_text == Some(true);
        if found.present && !is_rich {
            problems.add(&codes::BUSINESS_CHAT_RICH_TEXT_FLAG_MISSING, at);
        }
        if self.message.is_empty() {
            problems.add(&codes::BUSINESS_CHAT_TEXT_EMPTY, &place);
        }
        length::at_most(&codes::BUSINESS_CHAT_TEXT_LONG, &self.message, TEXT_LONG, &place, problems);
        if found.malformed && is_rich {
            problems.add(&codes::BUSINESS_CHAT_RICH_TEXT_MALFORMED, &place);
        }
        members::unknown(self, &self.extra, at, problems);
    }
}

impl Validate for Representative {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.avatar_image.as_deref().is_some_and(|avatar| !url::is_absolute(avatar)) {
            problems.add(&codes::BUSINESS_CHAT_REPRESENTATIVE_AVATAR, &at.key("avatarImage"));
        }
        if let Some(RepresentativeType::Other(kind)) = &self.representative_type {
            let code = &codes::BUSINESS_CHAT_REPRESENTATIVE_TYPE;
            choice::unknown(code, kind, RepresentativeType::VALUES, &at.key("representativeType"), problems);
        }
        members::unknown_or(self, &self.extra, at, problems, &misplaced);
    }
}
