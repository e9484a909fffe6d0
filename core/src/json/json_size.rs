//! The size of a value as JSON, computed without writing it.

use super::string_parser::plain;
use crate::extra::Extra;
use crate::member_types::{ExplicitString, Listed, NumericText, OneOrMany, Scalar, StringMap};
use crate::model::newtypes::{Code, RequestId};
use crate::value::{Value, to_json};

/// A value whose JSON has a known size: that of its `Serialize`.
pub(crate) trait JsonSize {
    /// The number of bytes.
    fn json_size(&self) -> usize;
}

/// Adds up the size of an object.
#[derive(Default)]
pub(crate) struct ObjectSize {
    /// The size of the members, each with the brace or comma before it.
    members: usize,
}

impl ObjectSize {
    /// Adds a member.
    pub(crate) fn add(&mut self, name: &str, value: &impl JsonSize) {
        self.members += ",:".len() + name.json_size() + value.json_size();
    }

    /// Adds the undocumented members; returns the size of the object.
    pub(crate) fn finish(&mut self, extra: &Extra) -> usize {
        for (name, value) in extra.iter() {
            self.add(name, value);
        }
        self.members.max("{".len()) + "}".len()
    }
}

impl JsonSize for str {
    fn json_size(&self) -> usize {
        let mut size = "\"\"".len() + self.len();
        let mut rest = self.as_bytes();
        while let Some((byte, behind)) = rest.get(plain(rest)..).and_then(<[u8]>::split_first) {
            let escape = match byte {
                b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x8 | 0xC => r"\n",
                _ => r"\u0000",
            };
            size += escape.len() - 1;
            rest = behind;
        }
        size
    }
}

impl JsonSize for String {
    fn json_size(&self) -> usize {
        self.as_str().json_size()
    }
}

impl JsonSize for bool {
    fn json_size(&self) -> usize {
        if *self { "true".len() } else { "false".len() }
    }
}

impl<T: JsonSize> JsonSize for Box<T> {
    fn json_size(&self) -> usize {
        T::json_size(self)
    }
}

impl<T: JsonSize> JsonSize for [T] {
    fn json_size(&self) -> usize {
        let items: usize = self.iter().map(|item| ",".len() + item.json_size()).sum();
        items.max("[".len()) + "]".len()
    }
}

impl<T: JsonSize> JsonSize for Vec<T> {
    fn json_size(&self) -> usize {
        self.as_slice().json_size()
    }
}

impl<T: JsonSize> JsonSize for Listed<T> {
    fn json_size(&self) -> usize {
        match self {
            Self::Items(items) => items.json_size(),
            Self::Untouched(value) => value.json_size(),
        }
    }
}

/// Types that occur in no text for which a size is computed often.
macro_rules! written {
    ($($type:ty),*) => {
        $( impl JsonSize for $type {
            fn json_size(&self) -> usize {
                to_json(self).len()
            }
        } )*
    };
}

written!(i64, f64, Value, StringMap, Scalar, NumericText, ExplicitString, OneOrMany, RequestId, Code);

#[cfg(test)]
mod tests {
    use super::JsonSize;
    use crate::channel::*;
    use crate::value::to_json;
    use proptest::prelude::*;

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
            assert_eq!(message.json_size(), to_json(&message).len());
        }
    }

    proptest! {
        #[test]
        fn the_size_of_any_text_is_the_length_of_its_json(text in r#"[\u{0}-\u{20}"\\/a\u{7F}é😀]{0,40}"#) {
            prop_assert_eq!(text.json_size(), to_json(&text).len());
        }
    }
}
