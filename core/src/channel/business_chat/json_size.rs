//! Computes the size of a message as JSON without writing it.

use super::{
    BusinessChat, Card, CardMedia, Carousel, ContentInfo, Image, Reply, Representative, RichText, Suggestion,
};
use crate::extra::Extra;
use crate::value::to_json;

/// The maximum number of bytes in JSON for one byte of text.
const ESCAPED: usize = 6;

impl BusinessChat {
    /// The size of the object as JSON in bytes, or 0 if a fast upper bound of it is already within `limit`.
    pub(super) fn size_over(&self, limit: usize) -> usize {
        let size = |of| {
            let mut size = Size { bytes: 0, of };
            self.measure(&mut size);
            size.bytes
        };
        if size(|text| text.len() * ESCAPED) <= limit { 0 } else { size(escaped) }
    }
}

/// The size of a text in JSON, without its quotation marks.
fn escaped(text: &str) -> usize {
    let bytes = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | 8 | b'\t' | b'\n' | 12 | b'\r' => 2,
        ..b' ' => ESCAPED,
        _ => 1,
    });
    bytes.sum()
}

/// The number of bytes so far. `of` returns the size of a text.
struct Size {
    bytes: usize,
    of: fn(&str) -> usize,
}

trait Measured {
    fn measure(&self, size: &mut Size);
}

impl Size {
    /// Adds a name with its quotation marks, the colon and the comma after its value.
    fn name(&mut self, name: &str) {
        self.bytes += name.len() + 4;
    }

    fn given(&mut self, name: &str, text: &str) {
        self.name(name);
        self.bytes += 2 + (self.of)(text);
    }

    fn text(&mut self, name: &str, text: &Option<String>) {
        if let Some(text) = text {
            self.given(name, text);
        }
    }

    fn flag(&mut self, name: &str, flag: Option<bool>) {
        if let Some(flag) = flag {
            self.name(name);
            self.bytes += if flag { 4 } else { 5 };
        }
    }

    fn member(&mut self, name: &str, member: Option<&impl Measured>) {
        if let Some(member) = member {
            self.name(name);
            member.measure(self);
        }
    }

    fn list(&mut self, name: &str, list: Option<&Vec<impl Measured>>) {
        if let Some(list) = list {
            self.name(name);
            let start = self.bytes;
            for element in list {
                element.measure(self);
                self.bytes += 1;
            }
            self.brackets(start);
        }
    }

    /// Adds undocumented members and the braces.
    fn object(&mut self, start: usize, extra: &Extra) {
        if !extra.is_empty() {
            self.extra(extra);
        }
        self.brackets(start);
    }

    fn extra(&mut self, extra: &Extra) {
        for (name, value) in extra.iter() {
            self.name("");
            self.bytes += (self.of)(name) + to_json(value).len();
        }
    }

    /// Adds the two brackets around members or elements, and subtracts the comma that was counted after the last one.
    fn brackets(&mut self, start: usize) {
        self.bytes += if self.bytes == start { 2 } else { 1 };
    }
}

macro_rules! measured {
    ($( $model:ident { $( $kind:ident $field:ident = $wire:literal ),* } )*) => { $(
        impl Measured for $model {
            fn measure(&self, size: &mut Size) {
                let start = size.bytes;
                $( measured!(size $kind $wire self.$field); )*
                size.object(start, &self.extra);
            }
        }
    )* };
    ($size:ident required $wire:literal $field:expr) => { $size.given($wire, &$field) };
    ($size:ident text $wire:literal $field:expr) => { $size.text($wire, &$field) };
    ($size:ident choice $wire:literal $field:expr) => { if let Some(value) = &$field { $size.given($wire, value.as_str()) } };
    ($size:ident flag $wire:literal $field:expr) => { $size.flag($wire, $field) };
    ($size:ident member $wire:literal $field:expr) => { $size.member($wire, $field.as_ref()) };
    ($size:ident list $wire:literal $field:expr) => { $size.list($wire, $field.as_ref()) };
    ($size:ident elements $wire:literal $field:expr) => { $size.list($wire, Some(&$field)) };
}

measured! {
    BusinessChat {
        member text = "text",
        member image = "image",
        list suggestions = "suggestions",
        member standalone_card = "standaloneCard",
        member carousel_card = "carouselCard",
        text fallback = "fallback",
        flag force_fallback = "forceFallback",
        member representative = "representative"
    }
    RichText { required message = "message", flag contains_rich_text = "containsRichText" }
    Image {
        required file_url = "fileUrl",
        text thumbnail_url = "thumbnailUrl",
        flag force_refresh = "forceRefresh",
        text alt_text = "altText"
    }
    Suggestion { member reply = "reply" }
    Reply { required text = "text", text postback_data = "postbackData" }
    Card {
        text title = "title",
        text description = "description",
        member media = "media",
        list suggestions = "suggestions"
    }
    Carousel { elements card_contents = "cardContents", choice card_width = "cardWidth" }
    CardMedia { choice height = "height", member content_info = "contentInfo" }
    ContentInfo { required file_url = "fileUrl", text thumbnail_url = "thumbnailUrl", text alt_text = "altText" }
    Representative {
        text avatar_image = "avatarImage",
        text display_name = "displayName",
        choice representative_type = "representativeType"
    }
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    fn exact(message: &BusinessChat) -> usize {
        message.size_over(0)
    }

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
            assert_eq!(exact(&message), to_json(&message).len());
            assert_eq!(message.size_over(to_json(&message).len() * ESCAPED), 0);
        }
    }
}
