//! What a device without this channel could be shown, and how large a message is.

use super::{BusinessChat, Card, Suggestion};
use crate::value::to_json;

/// Code points of a fallback that the channel is known to take.
const LONG: usize = 3072;
/// Room for the names and marks of one object in JSON.
const OBJECT: usize = 256;
/// The most bytes that one byte of a text takes in JSON.
const ESCAPED: usize = 6;

impl BusinessChat {
    /// A text that says what the content says, for `fallback`: titles and descriptions of the cards, or
    /// the text, then the suggested replies as a list; cut at the 3072 characters that the channel is known to take.
    /// None where there is nothing to say.
    #[must_use]
    pub fn suggested_fallback(&self) -> Option<String> {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.text.iter().map(|text| text.message.clone()));
        lines.extend(self.image.iter().filter_map(|image| image.alt_text.clone()));
        let cards = self.carousel_card.iter().flat_map(|carousel| &carousel.card_contents);
        lines.extend(self.standalone_card.iter().chain(cards).filter_map(Card::as_text));
        lines.extend(self.suggestions.iter().flatten().filter_map(Suggestion::as_text));
        lines.retain(|line| !line.trim().is_empty());
        (!lines.is_empty()).then(|| lines.join("\n").chars().take(LONG).collect())
    }

    /// The size in bytes of the object as JSON; 0 when it is surely not above `limit`.
    pub(super) fn size_over(&self, limit: usize) -> usize {
        if self.room().is_some_and(|room| room <= limit) {
            return 0;
        }
        to_json(self).len()
    }

    /// More than the object can take as JSON; none where it has undocumented members.
    fn room(&self) -> Option<usize> {
        let mut room = Room(0);
        room.object(self.extra.is_empty())?;
        if let Some(text) = &self.text {
            room.object(text.extra.is_empty())?.text(&text.message);
        }
        if let Some(image) = &self.image {
            let room = room.object(image.extra.is_empty())?.text(&image.file_url);
            room.option(image.thumbnail_url.as_ref()).option(image.alt_text.as_ref());
        }
        room.suggestions(self.suggestions.as_ref())?;
        let mut cards = 0;
        if let Some(carousel) = &self.carousel_card {
            room.object(carousel.extra.is_empty())?;
            cards = carousel.card_contents.len();
        }
        let contents = self.carousel_card.iter().flat_map(|carousel| &carousel.card_contents);
        for card in contents.chain(&self.standalone_card) {
            room.card(card)?;
        }
        room.option(self.fallback.as_ref());
        if let Some(representative) = &self.representative {
            let room = room.object(representative.extra.is_empty())?;
            room.option(representative.avatar_image.as_ref()).option(representative.display_name.as_ref());
        }
        Some(room.0 + cards)
    }
}

impl Card {
    fn as_text(&self) -> Option<String> {
        let alt = self.media.iter().filter_map(|media| media.content_info.as_ref()?.alt_text.as_deref());
        let mut words: Vec<&str> =
            [&self.title, &self.description].into_iter().flatten().map(String::as_str).collect();
        if words.is_empty() {
            words.extend(alt);
        }
        let replies = self.suggestions.iter().flatten().filter_map(Suggestion::as_text);
        let lines: Vec<String> =
            (!words.is_empty()).then(|| words.join(": ")).into_iter().chain(replies).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

impl Suggestion {
    fn as_text(&self) -> Option<String> {
        self.reply.as_ref().filter(|reply| !reply.text.is_empty()).map(|reply| ["- ", &reply.text].concat())
    }
}

struct Room(usize);

impl Room {
    fn object(&mut self, is_plain: bool) -> Option<&mut Self> {
        self.0 += OBJECT;
        is_plain.then_some(self)
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.0 += text.len() * ESCAPED;
        self
    }

    fn option(&mut self, text: Option<&String>) -> &mut Self {
        self.text(text.map_or("", String::as_str))
    }

    fn card(&mut self, card: &Card) -> Option<()> {
        self.object(card.extra.is_empty())?;
        self.option(card.title.as_ref()).option(card.description.as_ref());
        if let Some(media) = &card.media {
            self.object(media.extra.is_empty())?;
            if let Some(info) = &media.content_info {
                self.object(info.extra.is_empty())?.text(&info.file_url);
                self.option(info.thumbnail_url.as_ref()).option(info.alt_text.as_ref());
            }
        }
        self.suggestions(card.suggestions.as_ref())
    }

    fn suggestions(&mut self, list: Option<&Vec<Suggestion>>) -> Option<()> {
        for suggestion in list.into_iter().flatten() {
            self.object(suggestion.extra.is_empty())?;
            if let Some(reply) = &suggestion.reply {
                self.object(reply.extra.is_empty())?.text(&reply.text).option(reply.postback_data.as_ref());
            }
        }
        Some(())
    }
}
