//! Rules of cards and carousels (D4, Limits).

use super::{Card, CardWidth, Carousel, MISPLACED_RICH_TEXT, MediaHeight, RICH_TEXT, suggestion_rules};
use crate::problem::{Code, Pointer, Problems, Validate, codes};
use crate::rules::unknown_members::{self, CodeOverrides};
use crate::rules::{allowed_values, basic_markdown, length};

pub(super) const CARDS_MIN: usize = 2;
pub(super) const CARDS_MAX: usize = 10;
pub(super) const SUGGESTIONS_MAX: usize = 4;
const TITLE_LONG: usize = 200;
const DESCRIPTION_LONG: usize = 2000;
const NESTING: &[&str] = &["standaloneCard", "carouselCard", "cardContents"];
const NESTED: CodeOverrides = &[
    ("standaloneCard", None),
    ("carouselCard", None),
    ("cardContents", None),
    (RICH_TEXT, Some(&codes::BUSINESS_CHAT_RICH_TEXT_MISPLACED)),
];

impl Validate for Card {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        self.check_documented(at, problems);
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

impl Card {
    /// Checks all but the undocumented members.
    fn check_documented(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.media.is_none() && self.title.as_deref().is_none_or(str::is_empty) {
            problems.add(&codes::BUSINESS_CHAT_CARD_EMPTY, at);
        }
        let texts: [(_, _, &'static Code, _); 2] = [
            (&self.title, "title", &codes::BUSINESS_CHAT_CARD_TITLE_LONG, TITLE_LONG),
            (&self.description, "description", &codes::BUSINESS_CHAT_CARD_DESCRIPTION_LONG, DESCRIPTION_LONG),
        ];
        for (text, name, code, limit) in texts {
            let Some(text) = text else { continue };
            length::at_most(code, text, limit, at, name, problems);
            if basic_markdown::read(text).present {
                problems.add_key(&codes::BUSINESS_CHAT_RICH_TEXT_LITERAL, at, name);
            }
        }
        if let Some(media) = &self.media {
            media.check(&at.key("media"), problems);
        }
        if let Some(list) = &self.suggestions {
            let code = &codes::BUSINESS_CHAT_CARD_SUGGESTIONS_TOO_MANY;
            suggestion_rules::check(list, code, SUGGESTIONS_MAX, at, problems);
        }
    }

    fn height(&self) -> Option<&MediaHeight> {
        self.media.as_ref()?.height.as_ref()
    }
}

impl Validate for Carousel {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let at_cards = at.key("cardContents");
        let count = self.card_contents.len();
        if count < CARDS_MIN {
            let code = &codes::BUSINESS_CHAT_CAROUSEL_TOO_FEW;
            problems.report(code, &at_cards).limit(CARDS_MIN, count, length::ITEMS);
        }
        let code = &codes::BUSINESS_CHAT_CAROUSEL_TOO_MANY;
        length::items(code, count, CARDS_MAX, at, "cardContents", problems);
        let is_known = |height: &&MediaHeight| !matches!(height, MediaHeight::Other(_));
        let mut heights = self.card_contents.iter().filter_map(Card::height).filter(is_known);
        if heights.next().is_some_and(|first| heights.any(|height| height != first)) {
            problems.add(&codes::BUSINESS_CHAT_CAROUSEL_MIXED_HEIGHTS, &at_cards);
        }
        for (index, card) in self.card_contents.iter().enumerate() {
            let at = at_cards.index(index);
            if self.card_width == Some(CardWidth::Small) && card.height() == Some(&MediaHeight::Tall) {
                problems.add(&codes::BUSINESS_CHAT_CAROUSEL_SMALL_TALL, &at.key("media").key("height"));
            }
            check_inner_card(card, &at, problems);
        }
        width(self.card_width.as_ref(), at, problems);
        unknown_members::unknown_or(self, MISPLACED_RICH_TEXT, at, problems);
    }
}

fn check_inner_card(card: &Card, at: &Pointer<'_>, problems: &mut Problems) {
    if card.extra.iter().any(|(name, _)| NESTING.contains(&name)) {
        problems.add(&codes::BUSINESS_CHAT_CAROUSEL_NESTED, at);
    }
    card.check_documented(at, problems);
    unknown_members::unknown_or(card, NESTED, at, problems);
}

fn width(width: Option<&CardWidth>, at: &Pointer<'_>, problems: &mut Problems) {
    match width {
        None => problems.add_key(&codes::BUSINESS_CHAT_CAROUSEL_WIDTH_MISSING, at, "cardWidth"),
        Some(CardWidth::Other(value)) => {
            let code = &codes::BUSINESS_CHAT_CAROUSEL_WIDTH_UNKNOWN;
            allowed_values::unknown(code, value, CardWidth::VALUES, at, "cardWidth", problems);
        }
        Some(_) => {}
    }
}
