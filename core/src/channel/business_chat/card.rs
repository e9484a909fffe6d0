//! Rules of cards and carousels (D4, Limits).

use super::check::misplaced;
use super::{Card, CardWidth, Carousel, MediaHeight, suggestion};
use crate::operation::Validate;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::rules::{choice, length, members, rich};

const CARDS_MIN: usize = 2;
const CARDS_MAX: usize = 10;
const SUGGESTIONS_MAX: usize = 4;
const TITLE_LONG: usize = 200;
const DESCRIPTION_LONG: usize = 2000;
const NESTING: &[&str] = &["standaloneCard", "carouselCard", "cardContents"];

impl Validate for Card {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        self.check_shown(at, problems);
        members::unknown_or(self, &self.extra, at, problems, &misplaced);
    }
}

impl Card {
    /// All but its undocumented members.
    fn check_shown(&self, at: &Pointer<'_>, problems: &mut Problems) {
        if self.media.is_none() && self.title.as_deref().is_none_or(str::is_empty) {
            problems.add(&codes::BUSINESS_CHAT_CARD_EMPTY, at);
        }
        let texts: [(_, _, &'static Code, _); 2] = [
            (&self.title, "title", &codes::BUSINESS_CHAT_CARD_TITLE_LONG, TITLE_LONG),
            (&self.description, "description", &codes::BUSINESS_CHAT_CARD_DESCRIPTION_LONG, DESCRIPTION_LONG),
        ];
        for (text, name, code, limit) in texts {
            let Some(text) = text else { continue };
            length::at_most(code, text, limit, &at.key(name), problems);
            if rich::read(text).present {
                problems.add(&codes::BUSINESS_CHAT_RICH_TEXT_LITERAL, &at.key(name));
            }
        }
        if let Some(media) = &self.media {
            media.check(&at.key("media"), problems);
        }
        if let Some(list) = &self.suggestions {
            let place = at.key("suggestions");
            if list.len() > SUGGESTIONS_MAX {
                let code = &codes::BUSINESS_CHAT_CARD_SUGGESTIONS_TOO_MANY;
                problems.tell(code, &place).limit(SUGGESTIONS_MAX, list.len(), length::ITEMS);
            }
            suggestion::check(list, &place, problems);
        }
    }

    fn height(&self) -> Option<&MediaHeight> {
        self.media.as_ref()?.height.as_ref()
    }
}

impl Validate for Carousel {
    fn check(&self, at: &Pointer<'_>, problems: &mut Problems) {
        let place = at.key("cardContents");
        match self.card_contents.len() {
            count @ ..CARDS_MIN => {
                problems.tell(&codes::BUSINESS_CHAT_CAROUSEL_TOO_FEW, &place).limit(
                    CARDS_MIN,
                    count,
                    length::ITEMS,
                );
            }
            ..=CARDS_MAX => {}
            count => {
                problems.tell(&codes::BUSINESS_CHAT_CAROUSEL_TOO_MANY, &place).limit(
                    CARDS_MAX,
                    count,
                    length::ITEMS,
                );
            }
        }
        let is_known = |height: &&MediaHeight| !matches!(height, MediaHeight::Other(_));
        let mut heights = self.card_contents.iter().filter_map(Card::height).filter(is_known);
        if heights.next().is_some_and(|first| heights.any(|height| height != first)) {
            problems.add(&codes::BUSINESS_CHAT_CAROUSEL_MIXED_HEIGHTS, &place);
        }
        for (index, card) in self.card_contents.iter().enumerate() {
            let at = place.index(index);
            if self.card_width == Some(CardWidth::Small) && card.height() == Some(&MediaHeight::Tall) {
                problems.add(&codes::BUSINESS_CHAT_CAROUSEL_SMALL_TALL, &at.key("media").key("height"));
            }
            inner(card, &at, problems);
        }
        width(self.card_width.as_ref(), &at.key("cardWidth"), problems);
        members::unknown_or(self, &self.extra, at, problems, &misplaced);
    }
}

fn inner(card: &Card, at: &Pointer<'_>, problems: &mut Problems) {
    let nests = |name: &str| NESTING.contains(&name);
    if card.extra.iter().any(|(name, _)| nests(name)) {
        problems.add(&codes::BUSINESS_CHAT_CAROUSEL_NESTED, at);
    }
    card.check_shown(at, problems);
    members::unknown_or(card, &card.extra, at, problems, &|name| {
        if nests(name) { Some(None) } else { misplaced(name) }
    });
}

fn width(width: Option<&CardWidth>, at: &Pointer<'_>, problems: &mut Problems) {
    match width {
        None => problems.add(&codes::BUSINESS_CHAT_CAROUSEL_WIDTH_MISSING, at),
        Some(CardWidth::Other(value)) => {
            choice::unknown(
                &codes::BUSINESS_CHAT_CAROUSEL_WIDTH_UNKNOWN,
                value,
                CardWidth::VALUES,
                at,
                problems,
            );
        }
        Some(_) => {}
    }
}
