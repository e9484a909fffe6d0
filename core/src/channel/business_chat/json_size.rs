//! The size of a value as JSON.

use std::io;

use serde::Serialize;

/// Counts the bytes that are written.
struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The size of a value as JSON in bytes.
pub(super) fn json_size(value: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    // Neither the counter nor the serialization of a model fails.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::json_size;
    use crate::value::to_json;

    fn full() -> BusinessChat {
        let hard = "a\"b\\c\n\t\u{8}\u{C}\r\u{1}\u{1F}\u{7F}é€😀/";
        let suggestion = || Suggestion::new().reply(Reply::new(hard).postback_data(hard));
        let info = ContentInfo::new("https://a.b/c").thumbnail_url("t").alt_text(hard);
        let media = CardMedia::new().height(MediaHeight::Tall).content_info(info.extra("x", 1));
        let card = Card::new()
            .title(hard)
            .description("d")
            .media(media)
            .suggestions(vec![suggestion(), suggestion()]);
        BusinessChat::new()
            .text(RichText::new(hard).contains_rich_text(true))
            .image(Image::new("u").thumbnail_url("t").force_refresh(false).alt_text(""))
            .suggestions(vec![suggestion(), Suggestion::new()])
            .standalone_card(card.clone())
            .carousel_card(Carousel::new(vec![card, Card::new()]).card_width("WIDE"))
            .fallback(hard)
            .force_fallback(true)
            .representative(
                Representative::new().avatar_image("a").display_name(hard).representative_type("BOT"),
            )
            .extra(hard, vec![1, 2])
    }

    #[test]
    fn size_equals_the_length_of_the_json() {
        for message in [
            full(),
            BusinessChat::new(),
            BusinessChat::new().suggestions(Vec::new()).extra("a", true),
            BusinessChat::new().text(RichText::new("")),
            BusinessChat::new().carousel_card(Carousel::new(Vec::new())),
        ] {
            assert_eq!(json_size(&message), to_json(&message).len());
        }
    }
}
