//! A fallback text for devices without this channel.

use super::{BusinessChat, Card, Suggestion};

/// The maximum number of code points in a fallback that the channel is known to accept.
const MAX_FALLBACK: usize = 3072;

impl BusinessChat {
    /// Returns a text for `fallback` from the content: the text, the alternative text of the image, the title and description of
    /// each card (without them, the alternative text of its media), and the suggested replies as a list. It is truncated at the
    /// 3072 characters that the channel is known to accept. `None` if the content has none of these.
    #[must_use]
    pub fn suggested_fallback(&self) -> Option<String> {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.text.iter().map(|text| text.message.clone()));
        lines.extend(self.image.iter().filter_map(|image| image.alt_text.clone()));
        let cards = self.carousel_card.iter().flat_map(|carousel| &carousel.card_contents);
        lines.extend(self.standalone_card.iter().chain(cards).filter_map(Card::as_text));
        lines.extend(self.suggestions.iter().flatten().filter_map(Suggestion::as_text));
        lines.retain(|line| !line.trim().is_empty());
        (!lines.is_empty()).then(|| lines.join("\n").chars().take(MAX_FALLBACK).collect())
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
